/** An agency's new email until it is confirmed with the link that was sent there. */
import { takeInvitation } from '../../../../access/accounts/person-limits.ts'
import { endEmailLink, findPendingEmail } from '../../../../access/accounts/mails/email-links.ts'
import { type LinkOutcome, prepareEmailLink } from '../../../../delivery/mails/link-mails.ts'
import type { Mailer } from '../../../../delivery/mails/mailer.ts'
import type { Tx } from '../../../../platform/db/statements/connection.ts'
import { inTransaction } from '../../../../platform/db/statements/transaction.ts'
import { html, type Html, nothing } from '../../../../platform/web/html.ts'
import { auditRequest } from '../../actor.ts'
import { failed, type Flash, succeeded } from '../../serving/flash.ts'
import { inOneTransaction } from '../../forms/form-handlers.ts'
import { notice, postForm } from '../../forms/forms.ts'
import { agencyPages, type AgencyRequest } from '../../serving/page.ts'
import { card } from '../../parts/page-parts.ts'
import { refusalText } from '../../forms/problems.ts'
import { settingsPaths } from './settings.ts'

const emailPath = `${settingsPaths.profile}/email`

/** The email that waits for its confirmation, with buttons to mail the link again and to cancel. */
export async function pendingEmailPart(request: AgencyRequest, current: string | null): Promise<Html> {
  const { t, deps, agency } = request
  const texts = t.settings.pendingEmail
  const email = await findPendingEmail(deps.db, agency.id, deps.clock)
  if (email === null) return nothing
  const button = (below: string, text: string, look = '') =>
    postForm(
      request,
      `${agency.path}${emailPath}/${below}`,
      html`<button class="button ${look}">${text}</button>`,
    )
  return card(
    texts.title,
    html`${notice('info', texts.text(email, current))}
      <div class="form-actions">
        ${deps.mailer !== null && button('again', texts.again)}${button('cancel', texts.cancel, 'button-quiet')}
      </div>`,
  )
}

/**
 * Makes the link that confirms the email, which counts as an invitation.
 * @returns a function that mails the link, to call after the commit; it returns the message to show
 * @throws ApiError `rate_limited`
 */
export async function startEmailChange(tx: Tx, request: AgencyRequest, mailer: Mailer, email: string) {
  const { deps, agency, session } = request
  if (session.account.role !== 'operator') await takeInvitation(tx, agency.id, email, deps)
  await auditRequest(tx, request, 'agency_email_asked', agency.id, email)
  const send = await prepareEmailLink(tx, { ...deps, mailer }, session.account, agency.id, email)
  return async () => flashes[await send()](email)
}

const flashes: Readonly<Record<LinkOutcome, (email: string) => Flash>> = {
  sent: (email) => succeeded('emailLinkSent', email),
  waits: (email) => succeeded('emailWaits', email),
  unsent: (email) => failed('emailUnsent', email),
}

async function again(request: AgencyRequest) {
  const { deps, agency } = request
  const { mailer } = deps
  const to = agency.path + settingsPaths.profile
  const email = await findPendingEmail(deps.db, agency.id, deps.clock)
  if (email === null || mailer === null) return { to }
  try {
    const mail = await inTransaction(deps.db, (tx) => startEmailChange(tx, request, mailer, email))
    return { to, flash: await mail() }
  } catch (error) {
    return { to, flash: failed('refused', refusalText(request, error)) }
  }
}

async function cancel(request: AgencyRequest, tx: Tx) {
  const { deps, agency } = request
  const to = agency.path + settingsPaths.profile
  const email = await findPendingEmail(tx, agency.id, deps.clock)
  if (email === null) return { to }
  if (await endEmailLink(tx, agency.id))
    await auditRequest(tx, request, 'agency_email_cancelled', agency.id, email)
  return { to, flash: succeeded('emailCancelled', email) }
}

export const pendingEmailPages = [
  ...agencyPages('POST', `${emailPath}/again`, 'owner', again),
  ...agencyPages('POST', `${emailPath}/cancel`, 'owner', inOneTransaction(cancel)),
]

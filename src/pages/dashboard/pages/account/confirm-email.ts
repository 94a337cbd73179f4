/**
 * The page that confirms an agency's email. It needs no session: the link proves that its visitor reads the mail. Opening it, as
 * mail scanners do, changes nothing. As with password links (welcome.ts), the token moves into a cookie at once.
 */
import { findEmailLink } from '../../../../access/accounts/email-links.ts'
import { type Agency, agencyUrl, getAgencyById } from '../../../../agencies/agencies.ts'
import { confirmEmail } from '../../../../agencies/profile.ts'
import { postForm } from '../../forms.ts'
import { outsidePage } from './entrance.ts'
import { linkPage } from './welcome.ts'
import { openPage, type Visit } from '../../visit.ts'
import { ApiError } from '../../../../platform/errors.ts'
import { html } from '../../../../platform/web/html.ts'

type Confirmation = Readonly<{ token: string; email: string; agency: Agency }>

async function confirmationOf({ deps, cookies }: Visit): Promise<Confirmation | null> {
  const token = cookies['link'] ?? ''
  const link = await findEmailLink(deps.db, token, deps.clock)
  if (link === null) return null
  return { token, email: link.email, agency: await getAgencyById(deps.db, link.agencyId) }
}

function confirmPage(visit: Visit, { email, agency }: Confirmation) {
  const { t, deps } = visit
  const texts = t.confirmEmail
  return outsidePage(
    visit,
    texts.title,
    html`<p>${texts.text(email, agency.name, deps.config.serviceName)}</p>
      ${postForm(visit, '/dashboard/confirm-email', html`<button class="button button-primary button-wide">${texts.press}</button>`)}
      <p class="small muted">${texts.otherwise}</p>`,
  )
}

function donePage(visit: Visit, { email, agency }: Confirmation) {
  const { t, deps } = visit
  const texts = t.confirmEmail
  return outsidePage(
    visit,
    texts.done,
    html`<p>${texts.doneText(email, agency.name)}</p>
      <p>
        <a class="button" href="${agencyUrl(deps.config.publicBaseUrl, agency.slug)}"
          >${t.settings.publicPage}</a
        >
      </p>`,
  )
}

function deadPage(visit: Visit) {
  const { entrance, confirmEmail } = visit.t
  return outsidePage(visit, entrance.deadTitle, html`<p>${confirmEmail.dead}</p>`, { status: 404 })
}

async function confirm(visit: Visit) {
  const confirmation = await confirmationOf(visit)
  if (confirmation === null) return deadPage(visit)
  try {
    await confirmEmail(visit.deps, confirmation.token, visit.requestId)
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'dead_link') return deadPage(visit)
    throw error
  }
  return donePage(visit, confirmation)
}

export const confirmEmailPages = [
  linkPage('/confirm-email/:token', '/dashboard/confirm-email'),
  openPage('GET', '/confirm-email', 'anyone', async (visit) => {
    const confirmation = await confirmationOf(visit)
    return confirmation === null ? deadPage(visit) : confirmPage(visit, confirmation)
  }),
  openPage('POST', '/confirm-email', 'anyone', confirm),
]

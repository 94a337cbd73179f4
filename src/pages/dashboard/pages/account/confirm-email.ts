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
import { openPage, type PageRequest } from '../../page.ts'
import { ApiError } from '../../../../platform/errors.ts'
import { html } from '../../../../platform/web/html.ts'

type Confirmation = Readonly<{ token: string; email: string; agency: Agency }>

async function confirmationOf({ deps, cookies }: PageRequest): Promise<Confirmation | null> {
  const token = cookies['link'] ?? ''
  const link = await findEmailLink(deps.db, token, deps.clock)
  if (link === null) return null
  return { token, email: link.email, agency: await getAgencyById(deps.db, link.agencyId) }
}

function confirmPage(request: PageRequest, { email, agency }: Confirmation) {
  const { t, deps } = request
  const texts = t.confirmEmail
  return outsidePage(
    request,
    texts.title,
    html`<p>${texts.text(email, agency.name, deps.config.serviceName)}</p>
      ${postForm(request, '/dashboard/confirm-email', html`<button class="button button-primary button-wide">${texts.press}</button>`)}
      <p class="small muted">${texts.otherwise}</p>`,
  )
}

function donePage(request: PageRequest, { email, agency }: Confirmation) {
  const { t, deps } = request
  const texts = t.confirmEmail
  return outsidePage(
    request,
    texts.done,
    html`<p>${texts.doneText(email, agency.name)}</p>
      <p>
        <a class="button" href="${agencyUrl(deps.config.publicBaseUrl, agency.slug)}"
          >${t.settings.publicPage}</a
        >
      </p>`,
  )
}

function deadPage(request: PageRequest) {
  const { entrance, confirmEmail } = request.t
  return outsidePage(request, entrance.deadTitle, html`<p>${confirmEmail.dead}</p>`, { status: 404 })
}

async function confirm(request: PageRequest) {
  const confirmation = await confirmationOf(request)
  if (confirmation === null) return deadPage(request)
  try {
    await confirmEmail(request.deps, confirmation.token, request.requestId)
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'dead_link') return deadPage(request)
    throw error
  }
  return donePage(request, confirmation)
}

export const confirmEmailPages = [
  linkPage('/confirm-email/:token', '/dashboard/confirm-email'),
  openPage('GET', '/confirm-email', 'anyone', async (request) => {
    const confirmation = await confirmationOf(request)
    return confirmation === null ? deadPage(request) : confirmPage(request, confirmation)
  }),
  openPage('POST', '/confirm-email', 'anyone', confirm),
]

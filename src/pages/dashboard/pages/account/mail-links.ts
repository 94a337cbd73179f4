/**
 * The pages behind links in mails: one sets a password, the other confirms an agency's email. The token moves into a cookie at once, so
 * that no URL that is displayed, kept or forwarded contains it. Opening a link, as mail scanners do, does not use it up.
 */
import { nameLength } from '../../../../limits/sizes.ts'
import { findLink } from '../../../../access/accounts/mails/links.ts'
import { signInByLink } from '../../../../access/accounts/sign-in/sign-in.ts'
import { isToken } from '../../../../access/accounts/sign-in/sessions.ts'
import { html } from '../../../../platform/web/html.ts'
import { checkPersonName } from '../../../../platform/names/plain-name.ts'
import { formHandler } from '../../forms/form-handlers.ts'
import { fieldForm, formField, passwordField, postForm, problemSummary } from '../../forms/forms.ts'
import { openPage, type Page, type PageRequest } from '../../serving/page.ts'
import { outsidePage } from './entrance.ts'
import { findEmailLink } from '../../../../access/accounts/mails/email-links.ts'
import { type Agency, agencyUrl, getAgencyById } from '../../../../agencies/agencies.ts'
import { confirmEmail } from '../../../../agencies/profile.ts'
import { ApiError } from '../../../../platform/errors/errors.ts'

type Link = NonNullable<Awaited<ReturnType<typeof findLink>>>

/** Moves the token of a mail's link into a cookie. */
function mailedLinkPage(path: string, to: string): Page {
  return openPage('GET', path, 'anyone', ({ params }) => {
    const token = params['token'] ?? ''
    return { to, link: isToken(token) ? token : null }
  })
}

function passwordPage(request: PageRequest, { purpose, account }: Link) {
  const { t, refusal } = request
  const texts = t.entrance
  const isNew = purpose === 'invitation'
  const title = isNew ? texts.welcome : texts.newPassword
  const text = (isNew ? texts.welcomeText : texts.newPasswordText)(account.email)
  const labels = { name: texts.yourName, password: t.common.password }
  const fields = html`<input
      class="visually-hidden"
      type="text"
      name="username"
      value="${account.email}"
      autocomplete="username"
      tabindex="-1"
      aria-hidden="true"
      readonly
    />
    ${isNew && formField(request, { name: 'name', label: labels.name, autocomplete: 'name', value: account.name, required: true, maxlength: nameLength })}
    ${passwordField(request, 'password', labels.password, 'new-password', { hint: t.common.passwordHint })}`
  const contents = html`${problemSummary(request, refusal.problems, { labels })}
  ${fieldForm(request, '/dashboard/password', fields, texts.save, { look: 'button-primary button-wide' })}`
  return outsidePage(request, title, contents, { text })
}

function deadPasswordPage(request: PageRequest) {
  const { t, base } = request
  const contents = html`<p>${t.entrance.deadText}</p>
    <p><a class="button" href="${base}/dashboard/forgot">${t.entrance.sendLink}</a></p>`
  return outsidePage(request, t.entrance.deadTitle, contents, { code: 'not_found' })
}

async function linkOf({ deps, cookies }: PageRequest): Promise<Link | null> {
  return await findLink(deps.db, cookies['link'] ?? '', deps.clock)
}

async function welcomePage(request: PageRequest) {
  const link = await linkOf(request)
  return link === null ? deadPasswordPage(request) : passwordPage(request, link)
}

async function setPassword(request: PageRequest) {
  const { form, cookies, device, language, deps } = request
  const link = await linkOf(request)
  if (link === null) return deadPasswordPage(request)
  const isNew = link.purpose === 'invitation'
  const name = isNew ? checkPersonName(form.get('name') ?? '') : null
  const [token, password] = [cookies['link'] ?? '', form.get('password') ?? '']
  const { token: session, stage } = await signInByLink(deps, token, password, name, device, language)
  if (stage === 'password') return { to: '/dashboard/second-factor', session, link: null }
  return { to: isNew ? '/dashboard/account/second-factor' : '/dashboard', session, link: null }
}

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

function deadEmailPage(request: PageRequest) {
  const { entrance, confirmEmail } = request.t
  return outsidePage(request, entrance.deadTitle, html`<p>${confirmEmail.dead}</p>`, { code: 'not_found' })
}

async function confirm(request: PageRequest) {
  const confirmation = await confirmationOf(request)
  if (confirmation === null) return deadEmailPage(request)
  try {
    await confirmEmail(request.deps, confirmation.token, request.requestId)
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'dead_link') return deadEmailPage(request)
    throw error
  }
  return donePage(request, confirmation)
}

export const mailLinkPages = [
  mailedLinkPage('/welcome/:token', '/dashboard/password'),
  openPage('GET', '/password', 'anyone', welcomePage),
  openPage('POST', '/password', 'anyone', formHandler(setPassword, welcomePage)),
  mailedLinkPage('/confirm-email/:token', '/dashboard/confirm-email'),
  openPage('GET', '/confirm-email', 'anyone', async (request) => {
    const confirmation = await confirmationOf(request)
    return confirmation === null ? deadEmailPage(request) : confirmPage(request, confirmation)
  }),
  openPage('POST', '/confirm-email', 'anyone', confirm),
]

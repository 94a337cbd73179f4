/**
 * The page that links in mails lead to: it sets a password. The token moves into a cookie at once, so that no URL that is
 * displayed, kept or forwarded has it. Opening a link, as mail scanners do, does not use it up.
 */
import { changeProfile } from '../../../access/accounts/accounts.ts'
import { findLink } from '../../../access/accounts/links.ts'
import { signInByLink } from '../../../access/accounts/sign-in.ts'
import { isToken } from '../../../access/accounts/sessions.ts'
import { html } from '../../../platform/web/html.ts'
import { checkPersonName } from '../../../platform/plain-name.ts'
import { accountDeps } from '../actor.ts'
import { inputField } from '../../framework/fields.ts'
import { notRefused, postForm, problemSummary, type Refusal } from '../forms.ts'
import { problemsOf } from '../problems.ts'
import { openPage, type Page, type PageAnswer, type Visit } from '../visit.ts'
import { outsidePage } from './entrance.ts'

type Link = NonNullable<Awaited<ReturnType<typeof findLink>>>

function passwordPage(
  visit: Visit,
  { purpose, account }: Link,
  name: string,
  { problems, status }: Refusal = notRefused,
): PageAnswer {
  const { t } = visit
  const texts = t.entrance
  const isNew = purpose === 'invitation'
  const title = isNew ? texts.welcome : texts.newPassword
  const text = isNew ? texts.welcomeText(account.email) : texts.newPasswordText(account.email)
  const contents = html`${problemSummary(visit, problems, { labels: { name: texts.yourName, password: t.common.password } })}
  ${postForm(
    visit,
    '/dashboard/password',
    html`<div class="stack">
      <input
        class="visually-hidden"
        type="text"
        name="username"
        value="${account.email}"
        autocomplete="username"
        tabindex="-1"
        aria-hidden="true"
        readonly
      />
      ${isNew && inputField({ name: 'name', label: texts.yourName, autocomplete: 'name', value: name, problems, required: true, maxlength: 120 })}
      ${inputField({ name: 'password', label: t.common.password, hint: t.common.passwordHint, type: 'password', autocomplete: 'new-password', problems, required: true, maxlength: 200 })}
      <button class="button button-primary button-wide">${texts.save}</button>
    </div>`,
  )}`
  return outsidePage(title, contents, { text, status })
}

function deadPage(visit: Visit): PageAnswer {
  const { t } = visit
  const contents = html`<p>${t.entrance.deadText}</p>
    <p><a class="button" href="${visit.base}/dashboard/forgot">${t.entrance.sendLink}</a></p>`
  return outsidePage(t.entrance.deadTitle, contents, { status: 404 })
}

async function linkOf(visit: Visit): Promise<{ token: string; link: Link } | null> {
  const token = visit.cookies['link'] ?? ''
  const link = await findLink(visit.deps.db, token, visit.deps.clock)
  return link === null ? null : { token, link }
}

async function setPassword(visit: Visit): Promise<PageAnswer> {
  const { deps, form } = visit
  const found = await linkOf(visit)
  if (found === null) return deadPage(visit)
  const { token, link } = found
  const isNew = link.purpose === 'invitation'
  const typed = isNew ? (form.get('name') ?? '') : ''
  try {
    const name = isNew ? checkPersonName(typed) : null
    const password = form.get('password') ?? ''
    const signedIn = await signInByLink(accountDeps(visit), token, password, name, visit.device)
    const { token: session, stage, account } = signedIn
    if (account.language === null) await changeProfile(deps.db, account.id, { language: visit.language })
    if (stage === 'password') return { to: '/dashboard/second-factor', session, link: null }
    return { to: isNew ? '/dashboard/account/second-factor' : '/dashboard', session, link: null }
  } catch (error) {
    return passwordPage(visit, link, typed, problemsOf(visit, error))
  }
}

export const welcomePages: readonly Page[] = [
  openPage('GET', '/welcome/:token', 'anyone', async (visit) => ({
    to: '/dashboard/password',
    link: isToken(visit.params['token'] ?? '') ? (visit.params['token'] ?? null) : null,
  })),
  openPage('GET', '/password', 'anyone', async (visit) => {
    const found = await linkOf(visit)
    if (found === null) return deadPage(visit)
    return passwordPage(visit, found.link, found.link.account.name)
  }),
  openPage('POST', '/password', 'anyone', setPassword),
]

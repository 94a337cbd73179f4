/** The document of every page of the dashboard, with navigation and account menu; without them before signing in. */
import { searchLength } from '../../limits/sizes.ts'
import { html, type Html, nothing, raw } from '../../platform/web/html.ts'
import { pageDocument } from '../../platform/web/html-document.ts'
import type { Assets } from '../../platform/web/assets.ts'
import { localeOf } from '../../platform/web/language/language.ts'
import { flashText } from './serving/flash.ts'
import { hiddenField, notice, postForm } from './forms/forms.ts'
import { icon, type IconName, mark } from '../framework/icons.ts'
import { agenciesPath, type PageDocument, type PageRequest, type Section } from './serving/page.ts'

export function dashboardDocument(request: PageRequest, assets: Assets, shown: PageDocument): string {
  const { session, base, language, deps } = request
  const file = (name: string) => base + assets.path(name)
  return pageDocument({
    lang: localeOf[language],
    title: `${shown.title} · ${deps.config.serviceName}`,
    robots: 'noindex',
    barColour: 'night',
    root: base,
    icon: file('mark.svg'),
    styles: [file('dashboard.css')],
    modules: ['dashboard.js', ...(shown.scripts ?? [])].map(file),
    body: session?.stage === 'full' ? signedInBody(request, shown) : entranceBody(request, shown),
  }).markup
}

function entranceBody(request: PageRequest, { body }: PageDocument): Html {
  return html`<body class="entrance">
    <header>
      <a class="brand" href="${request.base}/dashboard">${mark}${request.deps.config.serviceName}</a>
    </header>
    <main id="main">${flashOf(request)}${body}</main>
    <footer class="entrance-foot">${languageSwitch(request)}</footer>
  </body>`
}

function signedInBody(request: PageRequest, { body, section }: PageDocument): Html {
  const { t, base, session } = request
  const where = session?.agency?.name ?? t.nav.operator
  return html`<body>
    <a class="skip" href="#main">${t.nav.skip}</a>
    <div class="shell">
      <header class="topbar">
        <a class="brand" href="${base}/dashboard">${mark}${request.deps.config.serviceName}</a>
        ${session?.account.role === 'operator' && findBox(request)} ${accountMenu(request, where)}
      </header>
      <nav class="nav" aria-label="${t.nav.label}">
        <div class="nav-brand">
          <a class="brand" href="${base}/dashboard">${mark}${request.deps.config.serviceName}</a>
        </div>
        <p class="nav-where">${where}</p>
        <ul>
          ${entriesOf(request).map(
            ([name, path, symbol]) =>
              html`<li class="nav-${name}">
                <a href="${base}${path}" ${name === section && raw(' aria-current="page"')}
                  >${icon(symbol)}<span>${t.nav[name]}</span></a
                >
              </li>`,
          )}
          <li class="nav-docs">
            <a href="${base}/docs">${icon('docs')}<span>${t.nav.docs}</span></a>
          </li>
        </ul>
      </nav>
      <main class="main" id="main" tabindex="-1">
        ${request.agency?.isTest === true && testBanner(request)} ${flashOf(request)}
        ${request.agency?.active === false && html`<div class="flash">${notice('warn', t.common.agencyInactive)}</div>`}
        ${body}
      </main>
    </div>
  </body>`
}

/** Searches everything in every agency. The key `/` focuses it. */
function findBox(request: PageRequest): Html {
  const texts = request.t.operator.find
  const field = html`<input
    class="input find"
    type="search"
    name="q"
    aria-label="${request.t.common.search}"
    placeholder="${texts.placeholder}"
    value="${request.url.startsWith('/dashboard/operator/find?') ? request.query.get('q') : ''}"
    maxlength="${searchLength}"
    autocomplete="off"
    spellcheck="false"
    data-find
  />`
  const form = html` class="find-box" role="search" aria-label="${request.t.common.search}"`
  return postForm(request, '/dashboard/operator/find', field, form)
}

/** Shown on every page of a test environment, so that nobody mistakes it for the real one. */
function testBanner({ t, agency }: PageRequest): Html {
  return html`<p class="test-banner">
    ${icon('test')}<span>${t.test.banner}</span> <span class="muted">${agency?.slug}</span>
  </p>`
}

function entriesOf({ session }: PageRequest): (readonly [Section, string, IconName])[] {
  if (session?.account.role === 'operator') {
    return [
      ['overview', '/dashboard', 'home'],
      ['agencies', agenciesPath, 'agencies'],
      ['traffic', '/dashboard/operator/traffic', 'usage'],
      ['notifications', '/dashboard/operator/notifications', 'notifications'],
      ['health', '/dashboard/operator/health', 'health'],
      ['audit', '/dashboard/operator/audit', 'audit'],
    ]
  }
  return [
    ['overview', '/dashboard', 'home'],
    ['listings', '/dashboard/listings', 'listings'],
    ['keys', '/dashboard/keys', 'keys'],
    ['usage', '/dashboard/usage', 'usage'],
    ['test', '/dashboard/test', 'test'],
    ...(session?.account.role === 'owner'
      ? ([
          ['people', '/dashboard/people', 'people'],
          ['settings', '/dashboard/settings', 'settings'],
        ] as const)
      : []),
  ]
}

function accountMenu(request: PageRequest, where: string): Html {
  const { t, base, session } = request
  const account = session?.account
  if (account === undefined) return nothing
  return html`<details class="who" data-menu>
    <summary>
      <span class="who-name">${account.name}</span>
      <span class="avatar" aria-hidden="true">${initials(account.name)}</span>
      <span class="visually-hidden">${t.nav.accountMenu}</span>
    </summary>
    <div class="who-menu stack">
      <div>
        <p class="strong">${account.name}</p>
        <p class="small muted">${account.email}</p>
        <p class="small muted">${where} · ${t.roles[account.role]}</p>
      </div>
      <a href="${base}/dashboard/account">${t.nav.account}</a>
      ${account.role === 'owner' && html`<a href="${base}/dashboard/settings">${t.nav.settings}</a>`}
      <a href="${base}/docs">${t.nav.docs}</a>
      ${languageSwitch(request)}
      ${postForm(request, '/dashboard/sign-out', html`<button class="button button-small button-wide">${icon('out')}${t.nav.signOut}</button>`)}
    </div>
  </details>`
}

function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '')
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}

/** A button that changes the language and returns to this page. */
function languageSwitch(request: PageRequest): Html {
  if (request.csrf === '') return nothing
  const other = request.language === 'es' ? 'en' : 'es'
  return postForm(
    request,
    '/dashboard/language',
    html`${hiddenField('language', other)}${hiddenField('next', request.url)}<button
        class="link-button small"
        lang="${other}"
      >
        ${other === 'en' ? 'English' : 'Español'}
      </button>`,
  )
}

function flashOf(request: PageRequest): Html {
  const { flash } = request
  if (flash === null) return nothing
  const role = flash.kind === 'bad' ? 'alert' : 'status'
  return html`<div class="flash" role="${role}">${notice(flash.kind, flashText(flash, request.t))}</div>`
}

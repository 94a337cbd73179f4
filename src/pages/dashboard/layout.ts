/**
 * The frame around every page: head, navigation and account menu; a plain one before signing in.
 */
import { colour, fontLinks } from '../../platform/web/design.ts'
import { flag, html, type Html, nothing, type Piece, raw } from '../../platform/web/html.ts'
import type { Assets } from '../../platform/web/assets.ts'
import { localeOf } from '../../platform/web/language.ts'
import { flashText } from './flash.ts'
import { notice, postForm } from './forms.ts'
import { icon, type IconName, mark } from './icons.ts'
import type { PageOptions, Section, Visit } from './visit.ts'

/** Of the browser's own bar on a phone, which goes on from ours. */
const barColours = (['light', 'dark'] as const).map(
  (scheme) =>
    html`<meta
      name="theme-color"
      media="(prefers-color-scheme: ${scheme})"
      content="${colour('night', scheme)}"
    />`,
)

export type Shown = PageOptions & Readonly<{ title: string; body: Html }>

/** The whole document. */
export function documentOf(visit: Visit, assets: Assets, shown: Shown): string {
  const { session } = visit
  const isIn = session !== null && session.stage === 'full'
  const href = (name: string) => visit.base + assets.path(name)
  const head = html`<head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <meta name="color-scheme" content="light dark" />
    ${barColours}
    <title>${shown.title} · ${visit.deps.config.serviceName}</title>
    <link rel="icon" type="image/svg+xml" href="${href('mark.svg')}" />
    ${fontLinks(visit.base)}
    <link rel="stylesheet" href="${href('dashboard.css')}" />
    ${['dashboard.js', ...(shown.scripts ?? [])].map(
      (name) => html`<script type="module" src="${href(name)}"></script>`,
    )}
  </head>`
  const page = isIn ? inside(visit, shown) : outside(visit, shown)
  return `<!doctype html>\n${html`<html lang="${localeOf[visit.language]}">
    ${head}${page}
  </html>`}\n`
}

function outside(visit: Visit, { body, wide }: Shown): Html {
  return html`<body class="entrance">
    <header>
      <a class="brand" href="${visit.base}/dashboard">${mark}${visit.deps.config.serviceName}</a>
    </header>
    <main id="main" ${wide === true && raw(' class="wide"')}>${flashOf(visit)}${body}</main>
    <footer class="entrance-foot">${languageSwitch(visit)}</footer>
  </body>`
}

function inside(visit: Visit, { body, section }: Shown): Html {
  const { t, base, session } = visit
  const where = session?.agency?.name ?? t.nav.operator
  return html`<body>
    <a class="skip" href="#main">${t.nav.skip}</a>
    <div class="shell">
      <header class="topbar">
        <a class="brand" href="${base}/dashboard">${mark}${visit.deps.config.serviceName}</a>
        ${session?.account.role === 'operator' && findBox(visit)} ${accountMenu(visit, where)}
      </header>
      <nav class="nav" aria-label="${t.nav.label}">
        <div class="nav-brand">
          <a class="brand" href="${base}/dashboard">${mark}${visit.deps.config.serviceName}</a>
        </div>
        <p class="nav-where">${where}</p>
        <ul>
          ${entriesOf(visit).map(
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
        ${visit.agency?.isTest === true && testBanner(visit)} ${flashOf(visit)}
        ${visit.agency?.active === false && html`<div class="flash">${notice('warn', t.common.agencyInactive)}</div>`}
        ${body}
      </main>
    </div>
  </body>`
}

/** Finds anything of any agency. The key `/` leads here. */
function findBox(visit: Visit): Html {
  const texts = visit.t.console.find
  const field = html`<input
    class="input find"
    type="search"
    name="q"
    aria-label="${texts.label}"
    placeholder="${texts.placeholder}"
    value="${visit.url.startsWith('/dashboard/operator/find?') ? visit.query.get('q') : ''}"
    maxlength="200"
    autocomplete="off"
    spellcheck="false"
    data-find
  />`
  const form = html` class="find-box" role="search" aria-label="${texts.label}"`
  return postForm(visit, '/dashboard/operator/find', field, form)
}

/** On every page of a test environment, so that nobody takes it for the real one. */
function testBanner({ t, agency }: Visit): Html {
  return html`<p class="test-banner">
    ${icon('test')}<span>${t.test.banner}</span> <span class="muted">${agency?.slug}</span>
  </p>`
}

function entriesOf({ session }: Visit): (readonly [Section, string, IconName])[] {
  if (session?.account.role === 'operator') {
    return [
      ['overview', '/dashboard', 'home'],
      ['agencies', '/dashboard/operator/agencies', 'agencies'],
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

function accountMenu(visit: Visit, where: string): Html {
  const { t, base, session } = visit
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
      ${languageSwitch(visit)}
      ${postForm(visit, '/dashboard/sign-out', html`<button class="button button-small button-wide">${icon('out')}${t.nav.signOut}</button>`)}
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

/** A button that changes to the other language and comes back here. */
function languageSwitch(visit: Visit): Html {
  if (visit.csrf === '') return nothing
  const other = visit.language === 'es' ? 'en' : 'es'
  return postForm(
    visit,
    '/dashboard/language',
    html`<input type="hidden" name="language" value="${other}" /><input
        type="hidden"
        name="next"
        value="${visit.url}"
      /><button class="link-button small" lang="${other}">${other === 'en' ? 'English' : 'Español'}</button>`,
  )
}

function flashOf(visit: Visit): Html {
  const { flash } = visit
  if (flash === null) return nothing
  const role = flash.kind === 'bad' ? 'alert' : 'status'
  return html`<div class="flash" role="${role}">${notice(flash.kind, flashText(flash, visit.t))}</div>`
}

type Crumb = readonly [label: string, path: string]

/** A page's heading, with breadcrumbs, a subtitle and buttons. */
export function pageHead(
  visit: Visit,
  options: Readonly<{ title: Piece; subtitle?: Piece; crumbs?: readonly Crumb[]; actions?: Piece }>,
): Html {
  const { crumbs = [] } = options
  return html`<div class="page-head">
    ${
      crumbs.length > 0 &&
      html`<nav class="crumbs" aria-label="${visit.t.nav.crumbs}">
        <ol>
          ${crumbs.map(([label, path]) => html`<li><a href="${visit.base}${path}">${label}</a></li>`)}
        </ol>
      </nav>`
    }
    <div>
      <h1>${options.title}</h1>
      ${options.subtitle !== undefined && html`<p class="subtitle">${options.subtitle}</p>`}
    </div>
    ${options.actions !== undefined && html`<div class="row">${options.actions}</div>`}
  </div>`
}

/** Breadcrumbs of an agency's page: operators come from the agency. */
export function agencyCrumbs({ agency, t }: Visit): readonly Crumb[] {
  if (agency === null || agency.path === '/dashboard') return []
  const test: Crumb[] = agency.isTest ? [[t.test.title, agency.path]] : []
  if (agency.path === '/dashboard/test') return test
  const path = agency.isTest ? agency.path.slice(0, -'/test'.length) : agency.path
  return [[t.nav.agencies, '/dashboard/operator/agencies'], [agency.name, path], ...test]
}

/**
 * The entry of the navigation that a page is below: its own, that of the test environment, or for operators who look at an agency that
 * of agencies.
 */
export function sectionOf({ agency }: Visit, section: Section): Section {
  if (agency?.path === '/dashboard/test') return 'test'
  return agency === null || agency.path === '/dashboard' ? section : 'agencies'
}

/** The page number that is asked for; 1 where it is none. */
export function pageAsked(query: URLSearchParams): number {
  const asked = query.get('page') ?? ''
  return /^[1-9]\d{0,3}$/.test(asked) ? Number(asked) : 1
}

/** Pages before and after. @param link the URL of a page, with the base */
export function pager(
  visit: Visit,
  page: number,
  hasNext: boolean,
  text: Piece,
  link: (page: number) => string,
): Html {
  const { t } = visit
  return html`<nav class="pager" aria-label="${t.common.pages}">
    <p class="muted small">${text}</p>
    <div class="row">
      ${page > 1 && html`<a class="button button-small" rel="prev" href="${link(page - 1)}">${t.common.previous}</a>`}
      ${hasNext && html`<a class="button button-small" rel="next" href="${link(page + 1)}">${t.common.next}</a>`}
    </div>
  </nav>`
}

/** Links that look like tabs. */
export function tabs(
  visit: Visit,
  label: string,
  entries: readonly (readonly [label: Piece, path: string, isCurrent: boolean])[],
): Html {
  return html`<nav class="tabs" aria-label="${label}">
    ${entries.map(
      ([text, path, isCurrent]) =>
        html`<a href="${visit.base}${path}" ${flag('aria-current="page"', isCurrent)}>${text}</a>`,
    )}
  </nav>`
}

/** In place of an empty list. */
export function empty(symbol: IconName, title: string, text: Piece, action?: Piece): Html {
  return html`<div class="empty">
    ${icon(symbol)}<strong>${title}</strong>
    <p>${text}</p>
    ${action}
  </div>`
}

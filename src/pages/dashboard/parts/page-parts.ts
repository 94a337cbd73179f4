/** The frame of a page, and the parts that most pages have: cards, tabs, a pager, and a text for an empty list. */
import { flag, html, type Html, type Piece } from '../../../platform/web/html.ts'
import { breadcrumbs, type Crumb } from '../../framework/breadcrumbs.ts'
import type { FieldProblems } from '../../framework/fields.ts'
import { problemSummary } from '../forms/forms.ts'
import { icon, type IconName } from '../../framework/icons.ts'
import { agenciesPath, type PageDocument, type PageRequest, type Section, statusOf } from '../serving/page.ts'

export type Frame = Pick<PageDocument, 'scripts'> &
  Readonly<{
    title: string
    section: Section
    /** The page's heading, if not its title. */
    heading?: Piece
    subtitle?: Piece
    /** Default: the breadcrumbs of the agency's pages. */
    crumbs?: readonly Crumb[]
    /** Further breadcrumbs, after `crumbs`. */
    below?: readonly Crumb[]
    actions?: Piece
    /** Labels for the summary of problems, if the problems do not name their fields. */
    labels?: FieldProblems
  }>

export function framed(request: PageRequest, frame: Frame, contents: Piece): PageDocument {
  const { title, section, heading = title, subtitle, actions, labels, scripts } = frame
  const { problems, code, headers } = request.refusal
  const crumbs = [...(frame.crumbs ?? agencyCrumbs(request)), ...(frame.below ?? [])]
  return {
    title,
    section: sectionOf(request, section),
    scripts,
    status: statusOf(code),
    headers,
    body: html`<div class="page-head">
        ${crumbs.length > 0 && breadcrumbs(request.t.nav.crumbs, crumbs, (path) => request.base + path)}
        <div>
          <h1>${heading}</h1>
          ${subtitle !== undefined && html`<p class="subtitle">${subtitle}</p>`}
        </div>
        ${actions !== undefined && html`<div class="row">${actions}</div>`}
      </div>
      <div class="stack-l">${problemSummary(request, problems, { labels })} ${contents}</div>`,
  }
}

/**
 * A part of a page below its own heading.
 * @param beside a link or button next to the heading
 * @param look further classes: `card-flush` if a table fills it
 */
export function card(title: Piece, contents: Piece, beside?: Piece, look = ''): Html {
  return html`<section class="card ${look}">
    <div class="card-head">
      <h2>${title}</h2>
      ${beside}
    </div>
    <div class="stack">${contents}</div>
  </section>`
}

/** A link that looks like a button. @param path below the base @param look further classes */
export function linkButton({ base }: PageRequest, path: string, text: Piece, symbol?: IconName, look = '') {
  return html`<a class="button ${look}" href="${base}${path}"
    >${symbol !== undefined && icon(symbol)}${text}</a
  >`
}

/** The state of something, with a dot of its colour. */
export function stateBadge(tone: 'good' | 'warn' | 'bad', text: string): Html {
  return html`<span class="badge badge-dot badge-${tone}">${text}</span>`
}

/** The breadcrumbs that lead to an agency's page: for operators, through the agency. */
export function agencyCrumbs({ agency, t }: PageRequest): readonly Crumb[] {
  if (agency === null || agency.path === '/dashboard') return []
  const test: Crumb[] = agency.isTest ? [[t.test.title, agency.path]] : []
  if (agency.path === '/dashboard/test') return test
  return [[t.nav.agencies, agenciesPath], [agency.name, agency.realPath], ...test]
}

/** The entry of the navigation to mark: for operators who look at an agency, the agencies. */
function sectionOf({ agency }: PageRequest, section: Section): Section {
  if (agency?.path === '/dashboard/test') return 'test'
  return agency === null || agency.path === '/dashboard' ? section : 'agencies'
}

/** The page number in the query; 1 if it is not a number. */
export function requestedPage(query: URLSearchParams): number {
  const typed = query.get('page') ?? ''
  return /^[1-9]\d{0,3}$/.test(typed) ? Number(typed) : 1
}

/** Links to the previous and the next page. @param link the URL of a page, with the base */
export function pager(
  request: PageRequest,
  page: number,
  hasNext: boolean,
  text: Piece,
  link: (page: number) => string,
): Html {
  const { t } = request
  return html`<nav class="pager" aria-label="${t.common.pages}">
    <p class="muted small">${text}</p>
    <div class="row">
      ${page > 1 && html`<a class="button button-small" rel="prev" href="${link(page - 1)}">${t.common.previous}</a>`}
      ${hasNext && html`<a class="button button-small" rel="next" href="${link(page + 1)}">${t.common.next}</a>`}
    </div>
  </nav>`
}

export function tabs(
  request: PageRequest,
  label: string,
  entries: readonly (readonly [label: Piece, path: string, isCurrent: boolean])[],
): Html {
  return html`<nav class="tabs" aria-label="${label}">
    ${entries.map(
      ([text, path, isCurrent]) =>
        html`<a href="${request.base}${path}" ${flag('aria-current="page"', isCurrent)}>${text}</a>`,
    )}
  </nav>`
}

const periods = [7, 30, 90] as const

/** The number of days that a report covers, and the tabs that choose it. @param path of the page */
export function periodOf(request: PageRequest, path: string): { days: number; periodTabs: Html } {
  const { t, query } = request
  const days = periods.find((period) => String(period) === query.get('days')) ?? 30
  const entries = periods.map(
    (period) => [t.usage.lastDays(period), `${path}?days=${period}`, period === days] as const,
  )
  return { days, periodTabs: tabs(request, t.usage.period, entries) }
}

export function empty(symbol: IconName, title: string, text: Piece, action?: Piece): Html {
  return html`<div class="empty">
    ${icon(symbol)}<strong>${title}</strong>
    <p>${text}</p>
    ${action}
  </div>`
}

/**
 * How often public pages are visited, and how visitors get in touch: of one listing on its page, of all in a table and as CSV.
 */
import { contactKinds, listingVisits, mostVisited, visitKinds } from '../../../agencies/visits.ts'
import { mostInCsv } from '../../../limits/table.ts'
import type { Listing } from '../../../listings/listing.ts'
import { findTitles } from '../../../listings/titles.ts'
import { html, type Html, nothing } from '../../../platform/web/html.ts'
import { dayChart } from '../charts.ts'
import { csvAnswer, csvLink } from '../filters.ts'
import { agencyCrumbs, empty, pageHead, sectionOf } from '../page-parts.ts'
import { tableHead } from '../tables.ts'
import { agencyPages, type AgencyVisit, asData, type Page, type PageAnswer, withTestPages } from '../visit.ts'

const days = 30
const mostShown = 100

type Counts = Readonly<Record<(typeof visitKinds)[number], number>>

function contactsOf(counts: Counts): number {
  return contactKinds.reduce((sum, kind) => sum + counts[kind], 0)
}

/** Nothing for a listing that nobody visited. */
export async function visitsPart(visit: AgencyVisit, listing: Listing): Promise<Html> {
  const { t, deps, agency, base, format } = visit
  const texts = t.visits
  const found = await listingVisits(deps.db, agency.id, listing.public_id, days, deps.clock)
  const total = (kind: keyof Counts) => found.reduce((sum, day) => sum + day[kind], 0)
  if (visitKinds.every((kind) => total(kind) === 0)) return nothing
  const shown = visitKinds.filter((kind) => kind === 'views' || total(kind) > 0)
  const chart = found.map((day) => ({ day: day.day, succeeded: day.views, failed: contactsOf(day) }))
  return html`<section class="card">
    <div class="card-head">
      <h2>${texts.ofListing(days)}</h2>
      <a href="${base}${agency.path}/visits">${texts.seeAll}</a>
    </div>
    <dl class="facts">
      ${shown.map(
        (kind) =>
          html`<div>
            <dt>${texts.kinds[kind]}</dt>
            <dd class="number">${format.number(total(kind))}</dd>
          </div>`,
      )}
    </dl>
    ${dayChart(visit, chart, texts.ofListing(days), { ...t.usage, ...texts.chart })}
    <p class="small muted">${texts.how}</p>
  </section>`
}

type Row = Counts & Readonly<{ public_id: string; title: string | null }>

async function rowsOf({ deps, agency }: AgencyVisit, limit: number): Promise<Row[]> {
  const found = await mostVisited(deps.db, agency.id, days, limit, deps.clock)
  const titles = await findTitles(
    deps.db,
    agency.id,
    found.map((row) => row.public_id),
  )
  return found.map((row) => ({ ...row, title: titles.get(row.public_id) ?? null }))
}

async function visitsPage(visit: AgencyVisit): Promise<PageAnswer> {
  const { t, agency, base, format } = visit
  const texts = t.visits
  const rows = await rowsOf(visit, mostShown)
  return {
    title: texts.title,
    section: sectionOf(visit, 'listings'),
    body: html`${pageHead(visit, { title: texts.title, subtitle: texts.subtitle(days), crumbs: [...agencyCrumbs(visit), [t.listings.title, `${agency.path}/listings`]] })}
      <div class="stack-l">
        <section class="card card-flush">
          ${rows.length === 0 ? empty('usage', texts.none, texts.noneText) : table(visit, rows)}
        </section>
        <p class="small muted">${texts.how}</p>
        ${rows.length > 0 && csvLink(visit, `${base}${agency.path}/visits.csv`, texts.csvNote(format.number(mostInCsv)))}
      </div>`,
  }
}

function table(visit: AgencyVisit, rows: readonly Row[]): Html {
  const { t, agency, base, format } = visit
  const texts = t.visits
  const end = (label: string) => ({ label, className: 'end' })
  return html`<div class="table-scroll">
    <table class="table table-fold table-figures">
      ${tableHead(texts.title, [texts.listing, ...visitKinds.map((kind) => end(texts.kinds[kind]))])}
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              <td class="lead">
                <a class="row-link" href="${base}${agency.path}/listings/${row.public_id}"
                  >${row.title ?? t.listings.untitled}</a
                >
                <p class="small muted">${row.public_id}</p>
              </td>
              ${visitKinds.map((kind) => html`<td data-label="${texts.kinds[kind]}" class="end number">${format.number(row[kind])}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

async function csvPage(visit: AgencyVisit): Promise<PageAnswer> {
  const texts = visit.t.visits
  const rows = await rowsOf(visit, mostInCsv)
  const heads = ['id', texts.listing, ...visitKinds.map((kind) => texts.kinds[kind])]
  const cells = rows.map((row) => [row.public_id, row.title, ...visitKinds.map((kind) => row[kind])])
  return csvAnswer(visit, `visits-${visit.agency.slug}.csv`, heads, cells)
}

export const visitPages: readonly Page[] = withTestPages([
  ...agencyPages('GET', '/visits', 'agency', visitsPage),
  ...asData(agencyPages('GET', '/visits.csv', 'agency', csvPage)),
])

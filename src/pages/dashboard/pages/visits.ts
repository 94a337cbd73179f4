/**
 * How often public pages are visited, and how visitors get in touch: for one listing on its page, for all in a table and as CSV.
 */
import { contactKinds, listingVisits, mostVisited, visitKinds } from '../../../agencies/visits.ts'
import type { Listing } from '../../../listings/listing.ts'
import { findTitles } from '../../../listings/find.ts'
import { html, type Html, nothing } from '../../../platform/web/html.ts'
import { dayChart } from '../charts.ts'
import { agencyCrumbs, empty, sectionOf } from '../page-parts.ts'
import { type TablePage, withCsv } from '../table-page.ts'
import { atEnd } from '../tables.ts'
import { agencyPages, type AgencyVisit, type Page, withTestPages } from '../visit.ts'

const days = 30

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

function visitsTable(visit: AgencyVisit): TablePage<Row> {
  const { t, agency, base, format } = visit
  const texts = t.visits
  const path = `${agency.path}/listings`
  return {
    title: texts.title,
    section: sectionOf(visit, 'listings'),
    path: `${agency.path}/visits`,
    head: { subtitle: texts.subtitle(days), crumbs: [...agencyCrumbs(visit), [t.nav.listings, path]] },
    className: 'table-figures',
    columns: [
      {
        title: t.common.listing,
        cell: ({ public_id: code, title }) =>
          html`<a class="row-link" href="${base}${path}/${code}">${title ?? t.listings.untitled}</a>
            <p class="small muted">${code}</p>`,
      },
      ...visitKinds.map((kind) => ({
        title: texts.kinds[kind],
        cell: (row: Row) => format.number(row[kind]),
        className: atEnd,
      })),
    ],
    rowsPerPage: 100,
    find: async ({ limit }) => ({
      rows: await rowsOf(visit, limit),
      foot: html`<p class="small muted">${texts.how}</p>`,
    }),
    none: empty('usage', texts.none, texts.noneText),
    csv: {
      filename: `visits-${agency.slug}.csv`,
      columns: [
        ['id', ({ public_id: code }) => code],
        [t.common.listing, ({ title }) => title],
        ...visitKinds.map((kind) => [texts.kinds[kind], (row: Row) => row[kind]] as const),
      ],
      note: texts.csvNote,
    },
  }
}

export const visitPages: readonly Page[] = withTestPages(
  withCsv(visitsTable, (ending, handle) => agencyPages('GET', `/visits${ending}`, 'agency', handle)),
)

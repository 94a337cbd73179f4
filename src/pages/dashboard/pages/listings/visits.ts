/** How often public pages are visited, and how visitors get in touch: for one listing on its page, for all in a table and as CSV. */
import { contactKinds, listingVisits, mostVisited, visitKinds } from '../../../../agencies/visits.ts'
import type { Listing } from '../../../../listings/listing.ts'
import { findTitles } from '../../../../listings/reading/find.ts'
import { html, type Html, nothing } from '../../../../platform/web/html.ts'
import { dayChart } from '../../parts/charts.ts'
import { card, empty } from '../../parts/page-parts.ts'
import { atEnd, factList, type TablePage, withCsv } from '../../parts/tables.ts'
import { agencyPages, type AgencyRequest, withTestPages } from '../../serving/page.ts'

const days = 30

type Counts = Readonly<Record<(typeof visitKinds)[number], number>>

function contactsOf(counts: Counts): number {
  return contactKinds.reduce((sum, kind) => sum + counts[kind], 0)
}

/** Empty for a listing without visits. */
export async function visitsPart(request: AgencyRequest, listing: Listing): Promise<Html> {
  const { t, deps, agency, base, format } = request
  const texts = t.visits
  const found = await listingVisits(deps.db, agency.id, listing.public_id, days, deps.clock)
  const total = (kind: keyof Counts) => found.reduce((sum, day) => sum + day[kind], 0)
  if (visitKinds.every((kind) => total(kind) === 0)) return nothing
  const shown = visitKinds.filter((kind) => kind === 'views' || total(kind) > 0)
  const chart = found.map((day) => ({ day: day.day, lower: day.views, upper: contactsOf(day) }))
  const figures = shown.map(
    (kind) => [texts.kinds[kind], html`<span class="number">${format.number(total(kind))}</span>`] as const,
  )
  return card(
    texts.ofListing(days),
    html`${factList(figures)} ${dayChart(request, chart, texts.ofListing(days), texts.chart)}
      <p class="small muted">${texts.how}</p>`,
    html`<a href="${base}${agency.path}/visits">${texts.seeAll}</a>`,
  )
}

type VisitedListing = Counts & Readonly<{ public_id: string; title: string | null }>

async function rowsOf({ deps, agency }: AgencyRequest, limit: number): Promise<VisitedListing[]> {
  const found = await mostVisited(deps.db, agency.id, days, limit, deps.clock)
  const codes = found.map((row) => row.public_id)
  const titles = await findTitles(deps.db, agency.id, codes)
  return found.map((row) => ({ ...row, title: titles.get(row.public_id) ?? null }))
}

function visitsTable(request: AgencyRequest): TablePage<VisitedListing> {
  const { t, agency, base, format } = request
  const texts = t.visits
  const path = `${agency.path}/listings`
  return {
    title: texts.kinds.views,
    section: 'listings',
    path: `${agency.path}/visits`,
    subtitle: texts.subtitle(days),
    below: [[t.nav.listings, path]],
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
        cell: (row: VisitedListing) => format.number(row[kind]),
        className: atEnd,
      })),
    ],
    rowsPerPage: 100,
    find: async ({ limit }) => ({
      rows: await rowsOf(request, limit),
      foot: html`<p class="small muted">${texts.how}</p>`,
    }),
    none: empty('usage', texts.none, texts.noneText),
    csv: {
      filename: `visits-${agency.slug}.csv`,
      columns: [
        ['id', ({ public_id: code }) => code],
        [t.common.listing, ({ title }) => title],
        ...visitKinds.map((kind) => [texts.kinds[kind], (row: VisitedListing) => row[kind]] as const),
      ],
      note: texts.csvNote,
    },
  }
}

export const visitPages = withTestPages(
  withCsv(visitsTable, (ending, handle) => agencyPages('GET', `/visits${ending}`, 'agency', handle)),
)

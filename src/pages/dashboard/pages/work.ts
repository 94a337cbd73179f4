/**
 * Pages for the whole to-do list, for failed photos, and for addresses that were not found.
 */
import { findListingsToMend, findUnplaced, mostFound } from '../../../listings/warnings/attention.ts'
import { toMend } from '../../../listings/warnings/photo-warnings.ts'
import { empty, framed, pageAsked, pager } from '../page-parts.ts'
import { findWork } from './find-work.ts'
import { actForm, editPlacePath, failedPart } from './listing-warnings.ts'
import { countText, workPart } from './work-list.ts'
import { agencyPages, type AgencyVisit, withTestPages } from '../visit.ts'
import { icon } from '../../framework/icons.ts'
import { html, type Piece } from '../../../platform/web/html.ts'

/** Listings on a page of failed photos. */
const perPage = 10

async function workPage(visit: AgencyVisit) {
  const { t, deps, agency } = visit
  const texts = t.work.page
  return framed(
    visit,
    { title: texts.title, section: 'overview', subtitle: texts.subtitle },
    workPart(visit, await findWork(deps.db, deps.clock, agency), false),
  )
}

/** The page that lists one kind of work. */
function kindPage(visit: AgencyVisit, title: string, subtitle: string | undefined, contents: Piece) {
  const below = [[visit.t.work.page.title, `${visit.agency.path}/work`]] as const
  return framed(visit, { title, section: 'overview', subtitle, below }, contents)
}

/** The page of a kind without any work. */
function donePage(visit: AgencyVisit, { heading, none }: Readonly<{ heading: string; none: string }>) {
  const done = empty('check', none, visit.t.work.page.doneText)
  return kindPage(visit, heading, undefined, html`<section class="card">${done}</section>`)
}

async function photosPage(visit: AgencyVisit) {
  const { t, deps, agency, base, format, query } = visit
  const texts = t.work.page.photos
  const page = pageAsked(query)
  const window = { limit: perPage, offset: (page - 1) * perPage }
  const listings = await findListingsToMend(deps.db, agency.id, window)
  const [first] = listings
  const path = `${agency.path}/work/photos`
  if (first === undefined && page > 1) return { to: path }
  if (first === undefined) return donePage(visit, texts)
  const cards = listings.map((listing) => {
    const warnings = toMend(listing.kept, listing.photos)
    const link = `${base}${agency.path}/listings/${listing.public_id}#warnings`
    return html`<section class="card stack">
      <h2 class="h3"><a href="${link}">${listing.title ?? t.listings.untitled}</a></h2>
      ${failedPart(visit, { ...listing, next: visit.url }, warnings)}
      ${warnings.kept !== null && html`<p class="small">${t.work.warnings.kept(warnings.kept.photos.length)}. <a href="${link}">${t.work.warnings.seePhotos}</a></p>`}
    </section>`
  })
  const hasNext = first.listings > page * perPage
  const pageUrl = (target: number) => `${base}${path}${target === 1 ? '' : `?page=${target}`}`
  const pages = (page > 1 || hasNext) && pager(visit, page, hasNext, format.number(page), pageUrl)
  const title = texts.title(countText(visit, first.listings, mostFound))
  return kindPage(visit, texts.heading, title, html`${cards}${pages}`)
}

async function placesPage(visit: AgencyVisit) {
  const { t, deps, agency, base } = visit
  const texts = t.work.page.places
  const listings = await findUnplaced(deps.db, agency.id, mostFound)
  const [first] = listings
  if (first === undefined) return donePage(visit, texts)
  const body = html`<section class="card card-flush">
    <ul class="work-rows">
      ${listings.map(
        (listing) =>
          html`<li>
            <div>
              <p>
                <a href="${base}${agency.path}/listings/${listing.public_id}"
                  >${listing.title ?? t.listings.untitled}</a
                >
              </p>
              <p class="small muted">${[listing.address, listing.city].filter(Boolean).join(', ')}</p>
            </div>
            <div class="row">
              ${actForm(visit, { ...listing, next: visit.url }, 'place', {}, html`${icon('rotate')}<span>${t.work.warnings.lookUp}<span class="visually-hidden"> ${listing.title ?? t.listings.untitled}</span></span>`)}
              <a class="button" href="${editPlacePath(visit, listing)}">${icon('pin')}${texts.place}</a>
            </div>
          </li>`,
      )}
    </ul>
  </section>`
  const title = texts.title(countText(visit, first.listings, mostFound))
  return kindPage(visit, texts.heading, `${title}. ${texts.text}`, body)
}

export const workPages = withTestPages([
  ...agencyPages('GET', '/work', 'agency', workPage),
  ...agencyPages('GET', '/work/photos', 'agency', photosPage),
  ...agencyPages('GET', '/work/places', 'agency', placesPage),
])

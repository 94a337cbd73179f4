/** Pages of work: the whole to-do list, photos that failed, addresses that were not found. */
import { findListingsWithWarnings, findUnplaced, mostFound } from '../../../listings/warnings/attention.ts'
import { openWarnings } from '../../../listings/warnings/photo-warnings.ts'
import { empty, framed, pageAsked, pager } from '../page-parts.ts'
import { findWork } from './find-work.ts'
import { listingLink, titleText } from './listings/parts.ts'
import { actForm, editPlaceUrl, failedPart } from './listings/warnings.ts'
import { countText, workPart } from './work-list.ts'
import { listingPath } from '../requested-listing.ts'
import { agencyPages, type AgencyVisit, withTestPages } from '../visit.ts'
import { icon } from '../../framework/icons.ts'
import { html, type Html } from '../../../platform/web/html.ts'

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

/** The page of one kind of work. @param body null if there is nothing to do */
function kindPage(
  visit: AgencyVisit,
  kind: 'photos' | 'places',
  subtitle: string | undefined,
  body: Html | null,
) {
  const { page } = visit.t.work
  const { heading, none } = page[kind]
  const below = [[page.title, `${visit.agency.path}/work`]] as const
  const done = html`<section class="card">${empty('check', none, page.doneText)}</section>`
  return framed(visit, { title: heading, section: 'overview', subtitle, below }, body ?? done)
}

async function photosPage(visit: AgencyVisit) {
  const { t, deps, agency, base, format, query } = visit
  const page = pageAsked(query)
  const window = { limit: perPage, offset: (page - 1) * perPage }
  const listings = await findListingsWithWarnings(deps.db, agency.id, window)
  const [first] = listings
  const path = `${agency.path}/work/photos`
  if (first === undefined) return page > 1 ? { to: path } : kindPage(visit, 'photos', undefined, null)
  const cards = listings.map((listing) => {
    const warnings = openWarnings(listing.warnings, listing.photos)
    const link = `${base}${listingPath(visit, listing)}#warnings`
    return html`<section class="card stack">
      <h2 class="h3">${listingLink(visit, listing, '#warnings')}</h2>
      ${failedPart(visit, { ...listing, next: visit.url }, warnings)}
      ${warnings.kept !== null && html`<p class="small">${t.work.warnings.kept(warnings.kept.photos.length)}. <a href="${link}">${t.work.warnings.seePhotos}</a></p>`}
    </section>`
  })
  const hasNext = first.listings > page * perPage
  const linkTo = (target: number) => `${base}${path}${target === 1 ? '' : `?page=${target}`}`
  const pages = (page > 1 || hasNext) && pager(visit, page, hasNext, format.number(page), linkTo)
  const title = t.work.page.photos.title(countText(visit, first.listings, mostFound))
  return kindPage(visit, 'photos', title, html`${cards}${pages}`)
}

async function placesPage(visit: AgencyVisit) {
  const { t, deps, agency } = visit
  const texts = t.work.page.places
  const listings = await findUnplaced(deps.db, agency.id, mostFound)
  const [first] = listings
  if (first === undefined) return kindPage(visit, 'places', undefined, null)
  const body = html`<section class="card card-flush">
    <ul class="work-rows">
      ${listings.map((listing) => {
        const which = html`<span class="visually-hidden"> ${titleText(visit, listing)}</span>`
        const lookUp = html`${icon('rotate')}<span>${t.work.warnings.lookUp}${which}</span>`
        return html`<li>
          <div>
            <p>${listingLink(visit, listing)}</p>
            <p class="small muted">${[listing.address, listing.city].filter(Boolean).join(', ')}</p>
          </div>
          <div class="row">
            ${actForm(visit, { ...listing, next: visit.url }, 'place', {}, lookUp)}
            <a class="button" href="${editPlaceUrl(visit, listing)}">${icon('pin')}${texts.place}</a>
          </div>
        </li>`
      })}
    </ul>
  </section>`
  const count = texts.title(countText(visit, first.listings, mostFound))
  return kindPage(visit, 'places', `${count}. ${texts.text}`, body)
}

export const workPages = withTestPages([
  ...agencyPages('GET', '/work', 'agency', workPage),
  ...agencyPages('GET', '/work/photos', 'agency', photosPage),
  ...agencyPages('GET', '/work/places', 'agency', placesPage),
])

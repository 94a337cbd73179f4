/** Pages of work: the whole to-do list, photos that failed, addresses that were not found. */
import {
  findListingsWithWarnings,
  findUnplaced,
  maxFound,
} from '../../../../listings/reading/warnings/attention.ts'
import { openWarnings } from '../../../../listings/reading/warnings/photo-warnings.ts'
import { empty, framed, pager, requestedPage } from '../../parts/page-parts.ts'
import { findWork } from './find-work.ts'
import { listingLink, titleText } from '../listings/listing-parts.ts'
import { actForm, editPlaceUrl, failedPart } from '../listings/warnings/warnings.ts'
import { countText, workPart } from './work-list.ts'
import { listingPath } from '../../requested-listing.ts'
import { agencyPages, type AgencyRequest, withTestPages } from '../../serving/page.ts'
import { icon } from '../../../framework/icons.ts'
import { html, type Html } from '../../../../platform/web/html.ts'

const perPage = 10

async function workPage(request: AgencyRequest) {
  const { t, deps, agency } = request
  const texts = t.work.page
  return framed(
    request,
    { title: texts.title, section: 'overview', subtitle: texts.subtitle },
    workPart(request, await findWork(deps.db, deps.clock, agency), false),
  )
}

/** The page of one kind of work. @param body null if there is nothing to do */
function kindPage(request: AgencyRequest, kind: 'photos' | 'unplaced', body: Html | null, subtitle?: string) {
  const { page } = request.t.work
  const { heading, none } = page[kind]
  const below = [[page.title, `${request.agency.path}/work`]] as const
  const done = html`<section class="card">${empty('check', none, page.doneText)}</section>`
  return framed(request, { title: heading, section: 'overview', subtitle, below }, body ?? done)
}

async function photosPage(request: AgencyRequest) {
  const { t, deps, agency, base, format, query } = request
  const page = requestedPage(query)
  const window = { limit: perPage, offset: (page - 1) * perPage }
  const listings = await findListingsWithWarnings(deps.db, agency.id, window)
  const [first] = listings
  const path = `${agency.path}/work/photos`
  if (first === undefined) return page > 1 ? { to: path } : kindPage(request, 'photos', null)
  const cards = listings.map((listing) => {
    const warnings = openWarnings(listing.warnings, listing.photos)
    const link = `${base}${listingPath(request, listing)}#warnings`
    return html`<section class="card stack">
      <h2 class="h3">${listingLink(request, listing, '#warnings')}</h2>
      ${failedPart(request, { ...listing, next: request.url }, warnings)}
      ${warnings.kept !== null && html`<p class="small">${t.work.warnings.kept(warnings.kept.photos.length)}. <a href="${link}">${t.work.warnings.seePhotos}</a></p>`}
    </section>`
  })
  const hasNext = first.listings > page * perPage
  const linkTo = (target: number) => `${base}${path}${target === 1 ? '' : `?page=${target}`}`
  const pages = (page > 1 || hasNext) && pager(request, page, hasNext, format.number(page), linkTo)
  const title = t.work.page.photos.title(countText(request, first.listings, maxFound))
  return kindPage(request, 'photos', html`${cards}${pages}`, title)
}

async function unplacedPage(request: AgencyRequest) {
  const { t, deps, agency } = request
  const texts = t.work.page.unplaced
  const listings = await findUnplaced(deps.db, agency.id, maxFound)
  const [first] = listings
  if (first === undefined) return kindPage(request, 'unplaced', null)
  const body = html`<section class="card card-flush">
    <ul class="work-rows">
      ${listings.map((listing) => {
        const which = html`<span class="visually-hidden"> ${titleText(request, listing)}</span>`
        const lookUp = html`${icon('rotate')}<span>${t.work.warnings.lookUp}${which}</span>`
        return html`<li>
          <div>
            <p>${listingLink(request, listing)}</p>
            <p class="small muted">${[listing.address, listing.city].filter(Boolean).join(', ')}</p>
          </div>
          <div class="row">
            ${actForm(request, { ...listing, next: request.url }, 'place', {}, lookUp)}
            <a class="button" href="${editPlaceUrl(request, listing)}">${icon('pin')}${texts.place}</a>
          </div>
        </li>`
      })}
    </ul>
  </section>`
  const count = texts.title(countText(request, first.listings, maxFound))
  return kindPage(request, 'unplaced', body, `${count}. ${texts.text}`)
}

export const workPages = withTestPages([
  ...agencyPages('GET', '/work', 'agency', workPage),
  ...agencyPages('GET', '/work/photos', 'agency', photosPage),
  ...agencyPages('GET', '/work/places', 'agency', unplacedPage),
])

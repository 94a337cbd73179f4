/**
 * Pages of work: the whole to-do list, every photo that failed, every address that was not found.
 */
import { findListingsToMend, findUnplaced, mostFound } from '../../../listings/warnings/attention.ts'
import { toMend } from '../../../listings/warnings/photo-warnings.ts'
import { html, type Html } from '../../../platform/web/html.ts'
import { icon } from '../icons.ts'
import { agencyCrumbs, empty, pageAsked, pageHead, pager, sectionOf } from '../page-parts.ts'
import { agencyPages, type AgencyVisit, type Page, type PageAnswer, withTestPages } from '../visit.ts'
import { findWork } from './find-work.ts'
import { actForm, editPlacePath, failedPart } from './listing-warnings.ts'
import { countText, workPart } from './work-list.ts'

/** Listings of a page with failed photos. */
const perPage = 10

async function workPage(visit: AgencyVisit): Promise<PageAnswer> {
  const { t, deps, agency } = visit
  const texts = t.work.page
  return {
    title: texts.title,
    section: sectionOf(visit, 'overview'),
    body: html`${pageHead(visit, { title: texts.title, subtitle: texts.subtitle, crumbs: agencyCrumbs(visit) })}
      <div class="stack-l">${workPart(visit, await findWork(deps.db, deps.clock, agency), false)}</div>`,
  }
}

/** The page that lists one kind of work. */
function kindPage(visit: AgencyVisit, title: string, subtitle: string | undefined, body: Html): PageAnswer {
  const crumbs = [...agencyCrumbs(visit), [visit.t.work.page.title, `${visit.agency.path}/work`] as const]
  return {
    title,
    section: sectionOf(visit, 'overview'),
    body: html`${pageHead(visit, { title, subtitle, crumbs })}
      <div class="stack-l">${body}</div>`,
  }
}

async function photosPage(visit: AgencyVisit): Promise<PageAnswer> {
  const { t, deps, agency, base, format, query } = visit
  const texts = t.work.page.photos
  const page = pageAsked(query)
  const window = { limit: perPage, offset: (page - 1) * perPage }
  const listings = await findListingsToMend(deps.db, agency.id, window)
  const [first] = listings
  const path = `${agency.path}/work/photos`
  if (first === undefined && page > 1) return { to: path }
  if (first === undefined)
    return kindPage(
      visit,
      texts.heading,
      undefined,
      html`<section class="card">${empty('check', texts.none, t.work.page.doneText)}</section>`,
    )
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
  const text = format.number(page)
  const pages =
    page > 1 || hasNext
      ? pager(
          visit,
          page,
          hasNext,
          text,
          (target) => `${base}${path}${target === 1 ? '' : `?page=${target}`}`,
        )
      : null
  const title = texts.title(countText(visit, first.listings, mostFound))
  return kindPage(visit, texts.heading, title, html`${cards}${pages}`)
}

async function placesPage(visit: AgencyVisit): Promise<PageAnswer> {
  const { t, deps, agency, base } = visit
  const texts = t.work.page.places
  const listings = await findUnplaced(deps.db, agency.id, mostFound)
  const [first] = listings
  if (first === undefined)
    return kindPage(
      visit,
      texts.heading,
      undefined,
      html`<section class="card">${empty('check', texts.none, t.work.page.doneText)}</section>`,
    )
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
  return kindPage(
    visit,
    texts.heading,
    `${texts.title(countText(visit, first.listings, mostFound))}. ${texts.text}`,
    body,
  )
}

export const workPages: readonly Page[] = withTestPages([
  ...agencyPages('GET', '/work', 'agency', workPage),
  ...agencyPages('GET', '/work/photos', 'agency', photosPage),
  ...agencyPages('GET', '/work/places', 'agency', placesPage),
])

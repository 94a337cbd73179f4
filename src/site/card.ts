/**
 * A listing in a list: cover, price, what and where.
 */
import { html } from './html.ts'
import { photoFile } from '../photos/names-and-urls.ts'
import type { Listing } from '../properties/listing.ts'
import { factLine } from './facts.ts'
import { offered, oneLine, placeOf, priceLine } from './format.ts'
import { photoBase, sourceSet } from './gallery.ts'
import type { PageLanguage } from '../web/language.ts'
import { phrases } from './language.ts'
import { listingPath, pathIn, type Site } from './site.ts'

const widths = '(min-width:64em) 24rem,(min-width:40em) 50vw,100vw'

/** `heading` is the level below that of what the list is part of; urgent ones are in sight at once. */
export function card(
  site: Site,
  language: PageLanguage,
  agencySlug: string,
  listing: Listing,
  { heading, isUrgent }: { heading: 'h2' | 'h3'; isUrgent: boolean },
): string {
  const words = phrases(language)
  const [cover] = listing.photos
  const base = photoBase(site, listing)
  const { amount, period } = priceLine(listing, words)
  const urgency = isUrgent ? '' : ' loading="lazy"'
  const image =
    cover === undefined
      ? ''
      : html`<img!${urgency} src="${base}${photoFile(cover, 'medium')}" srcset="${sourceSet(cover, base, ['small', 'medium'])}" sizes="${widths}" alt="">`
  return html`<li class="card">
    <div class="cover">
      !${image}!${listing.reserved ? html`<span class="badge">${words.reserved}</span>` : ''}
    </div>
    <p class="card-price">${amount}!${period === null ? '' : html` <span>${period}</span>`}</p>
    <${heading} class="card-title" dir="auto">
      <a href="${pathIn(site, language, listingPath(agencySlug, listing.public_id))}"
        >${oneLine(listing.title ?? '')}</a
      >
    </${heading}>
    <p class="card-facts">${factLine(listing, words)}</p>
    <p class="card-place" dir="auto">
      ${[offered(listing, words), placeOf(listing)].filter((text) => text !== '').join(' · ')}
    </p>
  </li> `
}

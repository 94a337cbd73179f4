/**
 * The photos of a listing's page: a strip that scrolls by touch, wheel and keys without any script. The script adds buttons and a
 * full screen.
 */
import { html } from './html.ts'
import { type PhotoSize, photoSizeNames, photoSizes, photoUrl } from '../photos/addresses.ts'
import type { Listing } from '../properties/listing.ts'
import type { Phrases } from './phrases-es.ts'
import type { Site } from './site.ts'

type Pictured = Pick<Listing, 'agency_id' | 'public_id' | 'photos'>

/** A photo's path in a size, on the host that the page came from. */
export function photoPath({ basePath }: Site, listing: Pictured, photo: string, size: PhotoSize): string {
  return photoUrl(basePath, listing.agency_id, listing.public_id, photo, size)
}

/** The three stored sizes, by their longest side. */
export function sourceSet(
  site: Site,
  listing: Pictured,
  photo: string,
  sizes: readonly PhotoSize[] = photoSizeNames,
): string {
  return sizes.map((size) => `${photoPath(site, listing, photo, size)} ${photoSizes[size]}w`).join(',')
}

/** As wide as the style sheet makes a photo. */
const widths = '(min-width:62em) 46rem,100vw'

export function gallery(site: Site, listing: Listing, words: Phrases): string {
  const { photos } = listing
  if (photos.length === 0) return ''
  const slides = photos.map((photo, index) => {
    // The cover is what the visitor waits for; what is out of sight can wait.
    const urgency = index === 0 ? ' fetchpriority="high"' : ' loading="lazy"'
    return html`<li><img!${urgency} src="${photoPath(site, listing, photo, 'medium')}" srcset="${sourceSet(site, listing, photo)}" sizes="${widths}" alt="${words.photoOf(index + 1, photos.length)}"></li>
`
  })
  return html`<section
    class="gallery"
    data-gallery
    aria-label="${words.photos}"
    data-previous="${words.previousPhoto}"
    data-next="${words.nextPhoto}"
    data-enlarge="${words.enlarge}"
    data-close="${words.close}"
  >
    <ul class="strip" tabindex="0" aria-label="${words.photos}">
      !${slides}
    </ul>
  </section> `
}

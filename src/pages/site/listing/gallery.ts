/** The photos of a listing's page: a strip that scrolls by touch, wheel and keys. A script adds buttons and a full screen. */
import {
  photoFile,
  type PhotoSize,
  photoSizeNames,
  photoSizes,
  photosUrl,
} from '../../../listings/photos/names-and-urls.ts'
import type { Listing } from '../../../listings/listing.ts'
import { html, type Html, raw } from '../../../platform/web/html.ts'
import type { Edition, Site } from '../frame/site.ts'

/** The common prefix of the paths of a listing's photos. */
export function photoBase({ basePath }: Site, listing: Pick<Listing, 'agency_id' | 'public_id'>): string {
  return photosUrl(basePath, listing.agency_id, listing.public_id)
}

/** The stored sizes of a photo, by their longest side. @param base the prefix of each URL; empty if it is the page's own `<base>` */
export function sourceSet(photo: string, base = '', sizes: readonly PhotoSize[] = photoSizeNames): string {
  return sizes.map((size) => `${base}${photoFile(photo, size)} ${photoSizes[size]}w`).join(',')
}

/** The width of a photo in the stylesheet: on wide screens the cover is as large as four others. */
const widths = '(min-width:62em) 19rem,100vw'
/**
 * The visitor waits for the cover. Phones with three pixels per point load the file for two, which looks the same and arrives in a third of
 * the time; on the full screen they load the largest.
 */
const coverWidths = '(min-width:62em) 37rem,(min-resolution:2.1dppx) 66vw,100vw'

/** For a page whose base is `photoBase`. */
export function gallery({ photos }: Listing, { words, format, label }: Edition): Html | null {
  if (photos.length === 0) return null
  const slides = photos.map((photo, index) => {
    const isCover = index === 0
    const urgency = isCover
      ? raw(` fetchpriority="high" src="${photoFile(photo, 'medium')}"`)
      : raw(' loading="lazy"')
    const alt = words.photoOf(index + 1, photos.length)
    return html`<li><img${urgency} srcset="${sourceSet(photo)}" sizes="${isCover ? coverWidths : widths}" alt="${alt}"></li>
`
  })
  return html`<section
    class="gallery"
    data-gallery
    aria-label="${label('photos')}"
    data-previous="${words.previousPhoto}"
    data-next="${words.nextPhoto}"
    data-enlarge="${words.enlarge}"
    data-close="${words.close}"
  >
    <ul class="strip" tabindex="0" aria-label="${label('photos')}">
      ${slides}
    </ul>
    <p class="counter">${words.photoCount(format.number(photos.length))}</p>
  </section> `
}

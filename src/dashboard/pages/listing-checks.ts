/**
 * What a listing lacks to be published, by the rule that publishing applies.
 */
import { html, type Html, nothing } from '../../web/html.ts'
import type { Listing } from '../../properties/listing.ts'
import { minPhotos, missingToPublish } from '../../properties/missing.ts'
import { icon } from '../icons.ts'
import { missingText } from '../problems.ts'
import type { Visit } from '../visit.ts'

export function checkPart(visit: Visit, listing: Listing): Html {
  const { t } = visit
  const missing = missingToPublish(listing, listing.photos.length)
  if (missing.length === 0) return nothing
  const wanted = ['title', 'type', 'operation', 'address', 'price', 'photos']
  if (listing.operation === 'temporary') wanted.splice(5, 0, 'price.period')
  const texts = t.listings
  return html`<section class="card">
    <div class="card-head">
      <h2>${texts.publishing}</h2>
      <span class="badge badge-warn">${texts.lacks(missing.length)}</span>
    </div>
    <ul class="checks">
      ${wanted.map((name) => {
        const lacks = missing.includes(name)
        const count =
          name === 'photos'
            ? ` (${lacks ? `${listing.photos.length}/${minPhotos}` : listing.photos.length})`
            : ''
        return html`<li class="${lacks ? 'is-missing' : 'is-done'}">
          ${icon(lacks ? 'cross' : 'check')}<span
            >${missingText(visit, name)}${count}<span class="visually-hidden"
              >: ${lacks ? texts.lacking : texts.there}</span
            ></span
          >
        </li>`
      })}
    </ul>
    <p class="small muted">${texts.fillByApi}</p>
  </section>`
}

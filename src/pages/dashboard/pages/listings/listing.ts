/** The page of one listing: a sequence of parts. The most important ones come first: state, price, missing fields, actions. */
import { listingUrl } from '../../../../listings/serialize.ts'
import { notice } from '../../forms.ts'
import { lacksPart } from '../../listing-form/parts.ts'
import { framed } from '../../page-parts.ts'
import { descriptionPart, factsPart, statePart } from './facts.ts'
import { actionPart } from './actions.ts'
import { historyPart } from './history.ts'
import { listingCrumbs, summaryText, titleText } from './parts.ts'
import { warningPart } from './warnings.ts'
import { galleryPart } from './photo-grid.ts'
import { visitsPart } from './visits.ts'
import { mapPart } from '../../place.ts'
import { listingOf, listingPath, mayEdit } from '../../requested-listing.ts'
import type { AgencyVisit, PageDocument } from '../../visit.ts'
import { icon } from '../../../framework/icons.ts'
import { html } from '../../../../platform/web/html.ts'

export async function listingPage(visit: AgencyVisit): Promise<PageDocument> {
  const { t, deps, agency, format } = visit
  const texts = t.listings
  const listing = await listingOf(visit)
  const isRemoved = listing.deleted_at !== null
  const isOut = listing.status === 'published' && !isRemoved
  const edit = `${visit.base}${listingPath(visit, listing)}/edit`
  const url = listingUrl(deps.config.publicBaseUrl, agency.slug, listing.public_id)
  return framed(
    visit,
    {
      title: titleText(visit, listing),
      section: 'listings',
      scripts: ['maps.js'],
      subtitle: summaryText(visit, listing),
      crumbs: listingCrumbs(visit, null),
      actions: html`${mayEdit(visit, listing) && html`<a class="button button-primary" href="${edit}">${icon('edit')}${t.listingForm.edit}</a>`}
      ${isOut && html`<a class="button" href="${url}">${icon('open')}${texts.publicPage}</a>`}`,
    },
    html`${isRemoved && notice('warn', texts.isRemoved(format.plainMoment(listing.deleted_at ?? '')))}
      <div class="listing-columns">
        <div class="stack-l">
          ${statePart(visit, listing)} ${await warningPart(visit, listing)}
          ${!isRemoved && lacksPart(visit, listing)} ${actionPart(visit, listing)}
        </div>
        <div class="stack-l">
          ${galleryPart(visit, listing)} ${await visitsPart(visit, listing)} ${factsPart(visit, listing)}
          ${await mapPart(visit, listing)} ${descriptionPart(visit, listing)}
          ${await historyPart(visit, listing)}
        </div>
      </div>`,
  )
}

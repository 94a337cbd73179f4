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
import type { AgencyRequest, PageDocument } from '../../page.ts'
import { icon } from '../../../framework/icons.ts'
import { html } from '../../../../platform/web/html.ts'

export async function listingPage(request: AgencyRequest): Promise<PageDocument> {
  const { t, deps, agency, format } = request
  const texts = t.listings
  const listing = await listingOf(request)
  const isRemoved = listing.deleted_at !== null
  const isOut = listing.status === 'published' && !isRemoved
  const edit = `${request.base}${listingPath(request, listing)}/edit`
  const url = listingUrl(deps.config.publicBaseUrl, agency.slug, listing.public_id)
  return framed(
    request,
    {
      title: titleText(request, listing),
      section: 'listings',
      scripts: ['maps.js'],
      subtitle: summaryText(request, listing),
      crumbs: listingCrumbs(request, null),
      actions: html`${mayEdit(request, listing) && html`<a class="button button-primary" href="${edit}">${icon('edit')}${t.listingForm.edit}</a>`}
      ${isOut && html`<a class="button" href="${url}">${icon('open')}${texts.publicPage}</a>`}`,
    },
    html`${isRemoved && notice('warn', texts.isRemoved(format.plainMoment(listing.deleted_at ?? '')))}
      <div class="listing-columns">
        <div class="stack-l">
          ${statePart(request, listing)} ${await warningPart(request, listing)}
          ${!isRemoved && lacksPart(request, listing)} ${actionPart(request, listing)}
        </div>
        <div class="stack-l">
          ${galleryPart(request, listing)} ${await visitsPart(request, listing)}
          ${factsPart(request, listing)} ${await mapPart(request, listing)}
          ${descriptionPart(request, listing)} ${await historyPart(request, listing)}
        </div>
      </div>`,
  )
}

/** The page of a listing's form: its fields, what is missing, the buttons, and the photos. */
import type { Listing } from '../../../../../listings/listing.ts'
import { isPlaceBlurred } from '../../../../../listings/reading/public.ts'
import { fieldLabel, formLabel } from '../../../forms/field-labels.ts'
import { hiddenField, postForm } from '../../../forms/forms.ts'
import { listingFields } from './listing-fields.ts'
import { conflictPart, duplicatePart, missingCount, missingPart } from './form-parts.ts'
import type { Saved } from './save.ts'
import { framed } from '../../../parts/page-parts.ts'
import { listingCrumbs, statusBadges, titleText } from '../listing-parts.ts'
import { photoScripts, photosPart } from '../photos/photos.ts'
import { listingPath } from '../../../requested-listing.ts'
import type { AgencyRequest, PageDocument } from '../../../serving/page.ts'
import type { FieldProblems } from '../../../../framework/fields.ts'
import { icon } from '../../../../framework/icons.ts'
import { uuidv7 } from '../../../../../platform/names/ids.ts'
import { html, type Html } from '../../../../../platform/web/html.ts'

/** Only drafts save themselves: half-typed text must not become public. Operators' forms never do: each of their saves is audited. */
export function savesItself({ session }: AgencyRequest, listing: Listing | null): boolean {
  return session.account.role !== 'operator' && (listing === null || listing.status === 'draft')
}

export async function formPage(request: AgencyRequest, saved: Saved): Promise<PageDocument> {
  const { t, deps, agency } = request
  const texts = t.listingForm
  const { listing } = saved
  const isBlurred = listing !== null && (await isPlaceBlurred(deps.db, agency.id, listing.id))
  const action = listing === null ? `${agency.path}/listings/new` : `${listingPath(request, listing)}/edit`
  return framed(
    { ...request, refusal: saved },
    {
      title: listing === null ? texts.create : texts.editOf(titleText(request, listing)),
      section: 'listings',
      crumbs: listingCrumbs(request, listing),
      labels: labelsOf(request, saved),
      scripts: [
        'place-field.js',
        ...photoScripts,
        'listing-chips.js',
        'listing-currency.js',
        'listing-form.js',
        'listing-keep.js',
      ],
    },
    html`<div class="listing-form">
      <div class="stack-l">
        ${savePart(request, listing)}
        ${postForm(
          request,
          action,
          html`${hiddenPart(request, listing)}
            <div class="stack-l">
              ${keptPart(request, listing)} ${await duplicatePart(request, saved)}
              ${await conflictPart(request, saved)} ${listingFields({ request, saved, isBlurred })}
            </div>`,
          html` id="${formId}" data-listing-form data-who="${request.session.account.id}"
          data-fresh="${saved.code === null ? 'yes' : 'no'}" autocomplete="off" novalidate`,
        )}
        ${photosOf(request, listing)}
      </div>
      <aside>${endPart(request, listing)}</aside>
    </div>`,
  )
}

/** Photos have their own forms, which cannot be nested. So the fields' form ends before them, and its buttons refer to it by this id. */
const formId = 'listing-form'

export function photosOf(request: AgencyRequest, listing: Listing | null): Html {
  const texts = request.t.listingForm
  return html`<div id="form-photos">
    ${
      listing === null
        ? html`<section class="card stack">
            <h2>${fieldLabel(request, 'photos')}</h2>
            <p class="muted">${texts.photosLater}</p>
          </section>`
        : photosPart(request, listing)
    }
  </div>`
}

export const labelsOf = (request: AgencyRequest, { problems }: Saved): FieldProblems =>
  Object.fromEntries(Object.keys(problems).map((name) => [name, formLabel(request, name)]))

/** The hidden field that names the version of the listing, or the uuid of a new one. */
export function hiddenPart({ form }: AgencyRequest, listing: Listing | null): Html {
  return listing === null
    ? hiddenField('new_id', form.get('new_id') ?? uuidv7())
    : hiddenField('version', listing.version)
}

/**
 * Whether and when the form was saved. On a narrow screen it stays visible and shows a button too. This button comes first
 * in the form even when hidden, so Enter presses it.
 */
function savePart(request: AgencyRequest, listing: Listing | null): Html {
  const texts = request.t.listingForm
  const words = listing?.status === 'published' ? texts.isPublic : texts.byButton
  return html`<section
    class="save-line"
    aria-label="${request.t.common.save}"
    data-autosave="${savesItself(request, listing) ? 'yes' : 'no'}"
    data-auto="${texts.autosave}"
    data-unsaved="${texts.unsaved}"
    data-saving="${texts.saving}"
    data-saved="${texts.saved('{time}')}"
    data-saved-but="${texts.savedBut('{time}')}"
    data-failed="${texts.failed}"
    data-offline="${texts.offline}"
    data-sign-in="${texts.signInAgain}"
  >
    <div class="row">
      ${listing === null ? html`<span class="badge badge-dot">${request.t.listings.statuses.draft}</span>` : statusBadges(request, listing)}
      <span class="small" role="status" data-save-state>${words}</span>
      ${listing?.status !== 'published' && missingCount(request, listing)}
    </div>
    ${saveButton(request, listing, 'button-small')}
  </section>`
}

function saveButton({ t }: AgencyRequest, listing: Listing | null, size: string): Html {
  const { saveDraft, saveChanges } = t.listingForm
  const isDraft = listing === null || listing.status === 'draft'
  const kind = listing?.status === 'published' ? 'button-primary' : ''
  return html`<button class="button ${size} ${kind}" name="after" value="" form="${formId}">
    ${isDraft ? saveDraft : saveChanges}
  </button>`
}

/** Shown by a script that found unsaved text. Forms that save themselves are saving it already, so they cannot discard it. */
function keptPart(request: AgencyRequest, listing: Listing | null): Html {
  const texts = request.t.listingForm
  return html`<div class="notice notice-info" role="status" data-kept hidden>
    ${icon('info')}
    <div class="stack-s">
      <p>${texts.kept}</p>
      ${
        !savesItself(request, listing) &&
        html`<p>
          <button type="button" class="button button-small" data-discard>${texts.keptDiscard}</button>
        </p>`
      }
    </div>
  </div>`
}

function endPart(request: AgencyRequest, listing: Listing | null): Html {
  const { t } = request
  const texts = t.listingForm
  const isPublished = listing?.status === 'published'
  return html`<section class="card stack">
    ${!isPublished && missingPart(request, listing)}
    ${!isPublished && html`<button class="button button-primary button-wide" name="after" value="publish" form="${formId}">${texts.publish}</button>`}
    ${saveButton(request, listing, 'button-wide')}
  </section>`
}

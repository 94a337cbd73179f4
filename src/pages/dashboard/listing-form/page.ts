/** The page of a listing's form: its fields, what is missing, the buttons, and the photos. */
import type { Listing } from '../../../listings/listing.ts'
import { isPlaceBlurred } from '../../../listings/public.ts'
import { fieldLabel, formLabel } from '../field-labels.ts'
import { postForm } from '../forms.ts'
import { listingFields } from './fields.ts'
import { conflictPart, duplicatePart, missingCount, missingPart } from './parts.ts'
import type { Saved } from './save.ts'
import { framed } from '../page-parts.ts'
import { listingCrumbs, statusBadges, titleText } from '../pages/listings/parts.ts'
import { photoScripts, photosPart } from '../pages/listings/photos.ts'
import { listingPath, versionInput } from '../requested-listing.ts'
import type { AgencyVisit, PageDocument } from '../visit.ts'
import type { Problems } from '../../framework/fields.ts'
import { icon } from '../../framework/icons.ts'
import { uuidv7 } from '../../../platform/ids.ts'
import { html, type Html } from '../../../platform/web/html.ts'

/** Only drafts, because half-typed text must not become public; and not for operators, whose every save is in the audit log. */
export function savesItself({ session }: AgencyVisit, listing: Listing | null): boolean {
  return session.account.role !== 'operator' && (listing === null || listing.status === 'draft')
}

export async function formPage(visit: AgencyVisit, saved: Saved): Promise<PageDocument> {
  const { t, deps, agency } = visit
  const texts = t.listingForm
  const { listing } = saved
  const isBlurred = listing !== null && (await isPlaceBlurred(deps.db, agency.id, listing.id))
  const action = listing === null ? `${agency.path}/listings/new` : `${listingPath(visit, listing)}/edit`
  return framed(
    { ...visit, refusal: saved },
    {
      title: listing === null ? texts.create : texts.editOf(titleText(visit, listing)),
      section: 'listings',
      crumbs: listingCrumbs(visit, listing),
      labels: labelsOf(visit, saved),
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
        ${savePart(visit, listing)}
        ${postForm(
          visit,
          action,
          html`${hiddenPart(visit, listing)}
            <div class="stack-l">
              ${keptPart(visit, listing)} ${await duplicatePart(visit, saved)}
              ${await conflictPart(visit, saved)} ${listingFields({ visit, saved, isBlurred })}
            </div>`,
          html` id="${formId}" data-listing-form data-who="${visit.session.account.id}"
          data-fresh="${saved.status === 200 ? 'yes' : 'no'}" autocomplete="off" novalidate`,
        )}
        ${photosOf(visit, listing)}
      </div>
      <aside>${endPart(visit, listing)}</aside>
    </div>`,
  )
}

/** Photos have forms of their own, so they are outside the form of the fields, and the buttons of that name it. */
const formId = 'listing-form'

/** The photos, once there is a draft. */
export function photosOf(visit: AgencyVisit, listing: Listing | null): Html {
  const texts = visit.t.listingForm
  return html`<div id="form-photos">
    ${
      listing === null
        ? html`<section class="card stack">
            <h2>${fieldLabel(visit, 'photos')}</h2>
            <p class="muted">${texts.photosLater}</p>
          </section>`
        : photosPart(visit, listing)
    }
  </div>`
}

export const labelsOf = (visit: AgencyVisit, { problems }: Saved): Problems =>
  Object.fromEntries(Object.keys(problems).map((name) => [name, formLabel(visit, name)]))

/** The hidden field that names the version of the listing, or the uuid of a new one. */
export function hiddenPart({ form }: AgencyVisit, listing: Listing | null): Html {
  return listing === null
    ? html`<input type="hidden" name="new_id" value="${form.get('new_id') ?? uuidv7()}" />`
    : versionInput(listing)
}

/**
 * Whether and when the form was saved. On a narrow screen it stays visible and shows a button too. Shown or not, that is the first of the
 * form's buttons: the one that the Enter key presses.
 */
function savePart(visit: AgencyVisit, listing: Listing | null): Html {
  const texts = visit.t.listingForm
  const words = listing?.status === 'published' ? texts.isPublic : texts.byButton
  return html`<section
    class="save-line"
    aria-label="${visit.t.common.save}"
    data-autosave="${savesItself(visit, listing) ? 'yes' : 'no'}"
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
      ${listing === null ? html`<span class="badge badge-dot">${visit.t.listings.statuses.draft}</span>` : statusBadges(visit, listing)}
      <span class="small" role="status" data-save-state>${words}</span>
      ${listing?.status !== 'published' && missingCount(visit, listing)}
    </div>
    ${saveButton(visit, listing, 'button-small')}
  </section>`
}

function saveButton({ t }: AgencyVisit, listing: Listing | null, size: string): Html {
  const { saveDraft, saveChanges } = t.listingForm
  const isDraft = listing === null || listing.status === 'draft'
  const kind = listing?.status === 'published' ? 'button-primary' : ''
  return html`<button class="button ${size} ${kind}" name="after" value="" form="${formId}">
    ${isDraft ? saveDraft : saveChanges}
  </button>`
}

/** Shown by a script that found unsaved text. Forms that save themselves are saving it already, so they cannot discard it. */
function keptPart(visit: AgencyVisit, listing: Listing | null): Html {
  const texts = visit.t.listingForm
  return html`<div class="notice notice-info" role="status" data-kept hidden>
    ${icon('info')}
    <div class="stack-s">
      <p>${texts.kept}</p>
      ${
        !savesItself(visit, listing) &&
        html`<p>
          <button type="button" class="button button-small" data-discard>${texts.keptDiscard}</button>
        </p>`
      }
    </div>
  </div>`
}

/** The missing fields, and the buttons. */
function endPart(visit: AgencyVisit, listing: Listing | null): Html {
  const { t } = visit
  const texts = t.listingForm
  const isOut = listing?.status === 'published'
  return html`<section class="card stack">
    ${!isOut && missingPart(visit, listing)}
    ${!isOut && html`<button class="button button-primary button-wide" name="after" value="publish" form="${formId}">${texts.publish}</button>`}
    ${saveButton(visit, listing, 'button-wide')}
  </section>`
}

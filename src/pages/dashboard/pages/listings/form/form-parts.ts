/**
 * The parts around the fields of a listing's form: missing fields, changes by others, the listing at the same address.
 * The page and the responses to scripts have the same markup.
 */
import { findAnyListing } from '../../../../../listings/reading/find.ts'
import { findHistoryPart } from '../../../../../listings/history/history.ts'
import type { Listing } from '../../../../../listings/listing.ts'
import { noContent } from '../../../../../listings/fields/content.ts'
import { minPhotos, missingToPublish } from '../../../../../listings/fields/publishable.ts'
import { formLabel } from '../../../forms/field-labels.ts'
import type { Conflict, Saved } from './save.ts'
import { fieldNamed } from './units.ts'
import { actorText, titleText, valueText } from '../listing-parts.ts'
import { missingText } from '../../../forms/problems.ts'
import { listingPath } from '../../../requested-listing.ts'
import type { AgencyRequest, PageRequest } from '../../../serving/page.ts'
import { icon } from '../../../../framework/icons.ts'
import { html, type Html, nothing } from '../../../../../platform/web/html.ts'

/** The number of history entries searched for the actors of a conflicting change. */
const entriesRead = 20

/** The URL of a missing field. @param path of the form; empty within it */
export function missingLink(name: string, path: string): string {
  return name === 'photos' ? `${path}#form-photos` : `${path}#f-${fieldNamed(name)?.field.path ?? name}`
}

const missingOf = (listing: Listing | null): string[] =>
  missingToPublish(listing ?? noContent, listing?.photos.length ?? 0)

/** The fields missing to publish, each a link. @param path of the form; empty within it */
function missingList(request: PageRequest, listing: Listing | null, path: string): Html {
  const { listings, listingForm } = request.t
  const missing = missingOf(listing)
  const count = listing?.photos.length ?? 0
  return html`<h2>${listings.lacks(missing.length)}</h2>
    <p class="small muted">${listingForm.missingText}</p>
    <ul class="checks">
      ${missing.map((name) => {
        const text = name === 'photos' ? listingForm.photosLeft(count, minPhotos) : missingText(request, name)
        return html`<li class="is-missing">
          ${icon('cross')}<a href="${missingLink(name, path)}" data-field>${text}</a>
        </li>`
      })}
    </ul>`
}

/** The missing fields, beside the button that publishes. */
export function missingPart(request: PageRequest, listing: Listing | null): Html {
  return html`<div id="form-missing" class="stack-s">
    ${
      missingOf(listing).length === 0
        ? html`<p class="is-done row">
            ${icon('check')}<span>${request.t.listingForm.nothingMissing}</span>
          </p>`
        : missingList(request, listing, '')
    }
  </div>`
}

/** The missing fields, on the page of the listing. */
export function lacksPart(request: AgencyRequest, listing: Listing): Html {
  if (missingOf(listing).length === 0) return nothing
  const path = `${request.base}${listingPath(request, listing)}/edit`
  return html`<section class="card stack-s">${missingList(request, listing, path)}</section>`
}

export function missingCount(request: PageRequest, listing: Listing | null): Html {
  const { length } = missingOf(listing)
  return html`<span id="form-missing-count" class="small"
    >${length > 0 && html`<a href="#form-missing">${request.t.listings.lacks(length)}</a>`}</span
  >`
}

/** The listing at the same address, and a button to save nevertheless. */
export async function duplicatePart(request: AgencyRequest, { duplicate }: Saved): Promise<Html> {
  if (duplicate === null) return html`<div id="form-duplicate"></div>`
  const { t, deps, agency, base } = request
  const texts = t.listingForm
  const path = listingPath(request, { public_id: duplicate })
  const other = await findAnyListing(deps.db, agency.id, { id: duplicate })
  const title = other === null ? duplicate : `${titleText(request, other)} (${duplicate})`
  return html`<div id="form-duplicate">
    <div class="notice notice-warn" role="alert">
      ${icon('alert')}
      <div class="stack-s">
        <p><strong>${texts.duplicate}</strong> ${texts.duplicateText}</p>
        <p class="row">
          <a class="button" href="${base}${path}">${texts.duplicateSee(title)}</a>
          <button class="button" name="force_duplicate" value="yes">${texts.duplicateCreate}</button>
        </p>
      </div>
    </div>
  </div>`
}

/** Both changes of each unit that two people have changed, to choose from. */
export async function conflictPart(request: AgencyRequest, saved: Saved): Promise<Html> {
  const { conflicts } = saved
  if (conflicts.length === 0) return html`<div id="form-conflicts"></div>`
  const texts = request.t.listingForm
  return html`<div id="form-conflicts">
    <section class="card stack conflicts" role="alert" tabindex="-1">
      <h2>${texts.conflict}</h2>
      <p>${texts.conflictText(await whoChanged(request, saved))}</p>
      <input type="hidden" name="conflict_since" value="${conflictSince(request, saved)}" />
      ${conflicts.map((conflict) => conflictChoice(request, conflict))}
      <p><button class="button button-primary">${texts.conflictSave}</button></p>
    </section>
  </div>`
}

function conflictChoice(request: PageRequest, { unit, mine, theirs }: Conflict): Html {
  const texts = request.t.listingForm
  const id = `choice-${unit.name}`
  const [{ path, group }, ...others] = unit.fields
  const name = others.length > 0 ? (group ?? path) : path
  const choice = (value: string, label: string, changed: unknown) =>
    html`<div class="choice">
      <input type="radio" id="${id}-${value}" name="choice.${unit.name}" value="${value}" required />
      <label for="${id}-${value}">${label}</label>
      <p class="hint prose">${valueText(request, name, changed) ?? '–'}</p>
    </div>`
  return html`<fieldset class="field">
    <legend class="legend">${formLabel(request, unit.name)}</legend>
    <input type="hidden" name="conflict" value="${unit.name}" />
    <div class="form-row">${choice('mine', texts.mine, mine)}${choice('theirs', texts.theirs, theirs)}</div>
  </fieldset>`
}

/** The version that the form showed when the conflict arose. While it is undecided, later saves move the form to newer versions. */
function conflictSince({ form }: AgencyRequest, { shown }: Saved): number {
  const sent = /^\d{1,15}$/.exec(form.get('conflict_since') ?? '')
  return Math.min(shown ?? 0, sent === null ? Infinity : Number(sent[0]))
}

/** The people and systems that changed the listing since the version that the form showed, as the history names them. */
async function whoChanged(request: AgencyRequest, saved: Saved): Promise<string> {
  const { deps, agency, session, t } = request
  const { listing } = saved
  if (listing === null) return t.listingForm.conflictUnknown
  const window = { limit: entriesRead, after: conflictSince(request, saved) }
  const entries = await findHistoryPart(deps.db, agency.id, listing.id, window)
  const fields = new Set(saved.conflicts.map(({ unit }) => unit.fields[0].group ?? unit.name))
  const actors = entries
    .filter(({ entry }) => Object.keys(entry.changes).some((name) => fields.has(name)))
    .map(({ entry }) => entry.actor)
  const others = actors.filter(({ id }) => id !== session.account.id)
  if (others.length === 0)
    return actors.length === 0 ? t.listingForm.conflictUnknown : t.listingForm.conflictOwn
  const names = others.map((actor) => actorText(request, actor))
  return [...new Set(names)].join(', ')
}

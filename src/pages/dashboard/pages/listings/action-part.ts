/** The actions of a listing, as forms. */
import { externalIdLength } from '../../../../limits/sizes.ts'
import { dayOf } from '../../../../platform/time/days.ts'
import { html, type Html, nothing } from '../../../../platform/web/html.ts'
import type { Listing } from '../../../../listings/listing.ts'
import { missingToPublish } from '../../../../listings/fields/publishable.ts'
import { currencies, disableReasons, usualCurrency } from '../../../../listings/fields/vocabulary.ts'
import { choiceField, selectField } from '../../../framework/fields.ts'
import { fieldLabel } from '../../forms/field-labels.ts'
import { buttonForm, formField, hiddenField, postForm } from '../../forms/forms.ts'
import { listingPath, mayChangeListings } from '../../requested-listing.ts'
import type { AgencyRequest } from '../../serving/page.ts'

export function actionPart(request: AgencyRequest, listing: Listing): Html {
  const { t, deps, format } = request
  const texts = t.listings
  const { state_changes_per_day, disables_per_day, enables_per_day } = deps.limits
  if (listing.deleted_at !== null) return restorePart(request, listing)
  if (!mayChangeListings(request)) return nothing
  const path = listingPath(request, listing)
  const { status, version } = listing
  const simple = (name: string, text: string, kind = '') =>
    buttonForm(request, `${path}/${name}`, { version }, text, `button-wide ${kind}`)
  const isComplete = missingToPublish(listing, listing.photos.length).length === 0
  const publish = isComplete
    ? simple('publish', texts.publish, 'button-primary')
    : html`<button class="button button-primary button-wide" disabled>${texts.publish}</button>
        <p class="small muted">${texts.publishLater}</p>`
  const reserve = listing.reserved ? simple('release', texts.release) : simple('reserve', texts.reserve)
  const counts = [state_changes_per_day, disables_per_day, enables_per_day] as const
  const [changes, disables, enables] = counts.map(({ max }) => format.number(max)) as [string, string, string]
  return html`<section class="card stack">
    <h2>${t.common.actions}</h2>
    ${status !== 'published' && publish} ${status !== 'draft' && suspendPart(request, listing)}
    ${status !== 'draft' && reserve}
    <details class="action" name="listing-action">
      <summary class="button button-danger button-wide">${texts.delete}</summary>
      <div class="action-body stack">
        <p class="small">${texts.deleteText}</p>
        ${buttonForm(request, `${path}/delete`, { version }, texts.deleteNow, 'button-danger')}
      </div>
    </details>
    <p class="small muted">${texts.limitsHint(changes, disables, enables)}</p>
  </section>`
}

/** Suspends a listing, with price and date if it was sold or rented, or corrects these. */
function suspendPart(request: AgencyRequest, listing: Listing): Html {
  const { t, form, format, refusal } = request
  const { problems } = refusal
  const texts = t.listings
  const isSuspended = listing.status === 'disabled'
  const amount = listing.close_amount === null ? '' : format.number(listing.close_amount)
  const day = listing.closed_at === null ? '' : dayOf(Date.parse(listing.closed_at))
  const isOpen = ['reason', 'close_price', 'closed_at'].some((name) => name in problems)
  const closing = html`<div class="stack" data-only-with="reason sold rented">
    <p class="hint">${isSuspended ? texts.closingKept : texts.closingHint}</p>
    ${formField(request, { name: 'close_price', label: fieldLabel(request, 'close_price'), inputmode: 'decimal', maxlength: 30, value: amount })}
    ${selectField({ name: 'close_currency', label: texts.currency, value: form.get('close_currency') ?? listing.close_currency ?? listing.price_currency ?? usualCurrency(listing.operation), choices: currencies.map((one) => [one, one] as const) })}
    ${formField(request, { name: 'closed_at', label: fieldLabel(request, 'closed_at'), type: 'date', value: day })}
  </div>`
  return html`<details class="action" name="listing-action" ${isOpen && html` open`}>
    <summary class="button button-wide">${isSuspended ? texts.correctClosing : texts.suspend}</summary>
    <div class="action-body">
      ${postForm(
        request,
        `${listingPath(request, listing)}/suspend`,
        html`${hiddenField('version', listing.version)}
          <div class="stack">
            ${selectField({ name: 'reason', label: fieldLabel(request, 'close_reason'), value: form.get('reason') ?? listing.close_reason ?? 'suspended', choices: disableReasons.map((one) => [one, texts.closeReasons[one]] as const), problems })}
            ${closing}
            <button class="button button-primary">${isSuspended ? t.common.save : texts.suspendNow}</button>
          </div>`,
      )}
    </div>
  </details>`
}

function restorePart(request: AgencyRequest, listing: Listing): Html {
  const { t, session, form, refusal } = request
  const texts = t.listings
  if (session.account.role !== 'operator')
    return html`<section class="card"><p>${texts.operatorRestores}</p></section>`
  const taken = refusal.problems['external_id']
  const choice = form.get('choice') ?? 'same'
  return html`<section class="card stack">
    <h2>${texts.restore}</h2>
    <p class="small">${texts.restoreText}</p>
    ${postForm(
      request,
      `${listingPath(request, listing)}/restore`,
      html`<div class="stack">
        ${
          taken !== undefined &&
          html`<fieldset class="field">
            <legend class="legend">${texts.restoreChoice}</legend>
            <div class="stack-s">
              ${choiceField({ type: 'radio', name: 'choice', value: 'none', label: texts.restoreNone, chosen: choice === 'none' })}
              ${choiceField({ type: 'radio', name: 'choice', value: 'other', label: texts.restoreOther, chosen: choice !== 'none' })}
              ${formField(request, { name: 'external_id', label: texts.externalId, maxlength: externalIdLength })}
            </div>
          </fieldset>`
        }
        <button class="button button-primary">${texts.restore}</button>
      </div>`,
    )}
  </section>`
}

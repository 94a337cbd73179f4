/**
 * The limits of an agency, on the operator's page about it: those in force, and the forms that change them.
 */
import type { ShownLimits } from '../../limits/of-agency.ts'
import { maxOfLimit, reportedLimits } from '../../limits/table.ts'
import { html, type Html } from '../../web/html.ts'
import { inputField, postForm, type Problems } from '../forms.ts'
import { tableHead } from '../tables.ts'
import type { AgencyVisit } from '../visit.ts'

export function limitsCard(visit: AgencyVisit, limits: ShownLimits, problems: Problems): Html {
  const { t } = visit
  const texts = t.limitChanges
  const isChanged = reportedLimits.some((name) => isOwn(limits[name]))
  return html`<section class="card stack" id="limits">
    <h2>${texts.title}</h2>
    <p class="small">${texts.text}</p>
    <table class="table table-fold">
      ${tableHead(texts.title, [texts.limit, texts.inForce, texts.usual, texts.until, { label: texts.clear, isHidden: true }])}
      <tbody>
        ${reportedLimits.map((name) => row(visit, name, limits[name]))}
      </tbody>
    </table>
    ${isChanged && clearForm(visit, '', texts.clearAll)}
    <h3>${texts.change}</h3>
    ${postForm(visit, `${visit.agency.path}/limits`, fields(visit, limits, problems))}
  </section>`
}

type Shown = ShownLimits[(typeof reportedLimits)[number]]

/** Whether the limit is the agency's own. One set to the default for good is no different from it. */
function isOwn({ max, default: usual, until }: Shown): boolean {
  return until !== null || max !== usual
}

function row(visit: AgencyVisit, name: keyof ShownLimits, limit: Shown): Html {
  const { t, format } = visit
  const texts = t.limitChanges
  const changed = isOwn(limit)
  const max = format.number(limit.max)
  const end = limit.until !== null ? format.moment(limit.until) : changed && texts.noEnd
  return html`<tr>
    <td class="lead">${t.limits[name]}</td>
    <td data-label="${texts.inForce}" class="number">${changed ? html`<b>${max}</b>` : max}</td>
    <td data-label="${texts.usual}" class="number">${format.number(limit.default)}</td>
    <td data-label="${texts.until}">${end}</td>
    <td>${changed && clearForm(visit, name, texts.clear)}</td>
  </tr>`
}

/** @param name empty: all */
function clearForm(visit: AgencyVisit, name: string, text: string): Html {
  const label = visit.t.limits[name as keyof ShownLimits]
  return postForm(
    visit,
    `${visit.agency.path}/limits/clear`,
    html`<input type="hidden" name="limit" value="${name}" /><button
        class="button button-small"
        ${label !== undefined && html`aria-label="${text}: ${label}"`}
      >
        ${text}
      </button>`,
  )
}

function fields(visit: AgencyVisit, limits: ShownLimits, problems: Problems): Html {
  const { t, form } = visit
  const texts = t.limitChanges
  return html`<div class="stack">
    <p class="small muted">${texts.changeHint}</p>
    <div class="field-grid">
      ${reportedLimits.map((name) =>
        inputField({
          name: `max_${name}`,
          label: t.limits[name],
          value: form.get(`max_${name}`) ?? '',
          placeholder: String(limits[name].max),
          problems,
          inputmode: 'numeric',
          maxlength: String(maxOfLimit).length,
        }),
      )}
    </div>
    ${inputField({
      name: 'until',
      label: texts.untilLabel,
      hint: texts.untilHint,
      type: 'date',
      value: form.get('until') ?? '',
      problems,
    })}
    <div><button class="button button-primary">${texts.save}</button></div>
  </div>`
}

/**
 * The limits of an agency, on the operator's page about it: those in force with what is used of them, and the forms that change them.
 */
import { type ShownLimits, shownLimits } from '../../../limits/of-agency.ts'
import { findAgencyUsage } from '../../../limits/usage.ts'
import { maxOfLimit, reportedLimits } from '../../../limits/table.ts'
import { flag, html, type Html } from '../../../platform/web/html.ts'
import { isScarce } from '../charts.ts'
import { inputField, type Problems } from '../../framework/fields.ts'
import { postForm } from '../forms.ts'
import { tableHead } from '../tables.ts'
import type { AgencyVisit } from '../visit.ts'

/** What the fields are called, for a summary of problems. */
export function limitLabels({ t }: AgencyVisit): Problems {
  return Object.fromEntries(reportedLimits.map((name) => [`max_${name}`, t.limits[name]]))
}

/** @param visit its agency is the one whose limits they are */
export async function limitsCard(visit: AgencyVisit, problems: Problems): Promise<Html> {
  const { t, deps, agency } = visit
  const { limits: inForce, used } = await findAgencyUsage(deps.db, agency.id, deps.config.limits, deps.clock)
  const limits = shownLimits(inForce, deps.config.limits)
  const texts = t.limitChanges
  const isChanged = reportedLimits.some((name) => isOwn(limits[name]))
  return html`<section class="card stack" id="limits">
    <h2>${texts.title}</h2>
    <p class="small">${texts.text}</p>
    <table class="table table-fold table-figures">
      ${tableHead(texts.title, [texts.limit, texts.used, texts.inForce, texts.usual, texts.until, { label: texts.clear, isHidden: true }])}
      <tbody>
        ${reportedLimits.map((name) => row(visit, name, limits[name], used[name]))}
      </tbody>
    </table>
    ${isChanged && clearForm(visit, '', texts.clearAll)}
    <details class="disclosure stack" ${flag('open', Object.keys(problems).length > 0)}>
      <summary>${texts.change}</summary>
      ${postForm(visit, `${visit.agency.path}/limits`, fields(visit, limits, problems))}
    </details>
  </section>`
}

type Shown = ShownLimits[(typeof reportedLimits)[number]]

/** Whether the limit is the agency's own. One set to the default for good is no different from it. */
function isOwn({ max, default: usual, until }: Shown): boolean {
  return until !== null || max !== usual
}

function row(visit: AgencyVisit, name: keyof ShownLimits, limit: Shown, used: number): Html {
  const { t, format } = visit
  const texts = t.limitChanges
  const changed = isOwn(limit)
  const max = format.number(limit.max)
  const end = limit.until !== null ? format.moment(limit.until) : changed && texts.noEnd
  return html`<tr>
    <td class="lead">${t.limits[name]}</td>
    <td data-label="${texts.used}" class="number">
      ${used > 0 && isScarce(used, Math.max(0, limit.max - used)) ? html`<span class="badge badge-warn">${format.number(used)}</span>` : format.number(used)}
    </td>
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
          placeholder: visit.format.number(limits[name].max),
          problems,
          inputmode: 'numeric',
          maxlength: maxOfLimit.toLocaleString('en').length,
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

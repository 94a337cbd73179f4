/** The limits of an agency, on the operator's page about it: the limits in force, their usage, and the forms that change them. */
import { type ShownLimits, shownLimits } from '../../../../limits/of-agency.ts'
import { getAgencyUsage } from '../../../../limits/usage.ts'
import { maxOfLimit, reportedLimits } from '../../../../limits/table.ts'
import { flag, html, type Html } from '../../../../platform/web/html.ts'
import { isScarce } from '../../parts/charts.ts'
import { fieldForm, formField, hiddenField, postForm } from '../../forms/forms.ts'
import type { FieldProblems } from '../../../framework/fields.ts'
import { type Column, table } from '../../parts/tables.ts'
import type { AgencyRequest } from '../../serving/page.ts'

/** Labels for the summary of problems. */
export function limitLabels({ t }: AgencyRequest): FieldProblems {
  return Object.fromEntries(reportedLimits.map((name) => [`max_${name}`, t.limits[name]]))
}

/** @param request of a page about the agency with these limits */
export async function limitsCard(request: AgencyRequest): Promise<Html> {
  const { t, deps, agency, format } = request
  const { limits: inForce, used } = await getAgencyUsage(deps, agency.id)
  const limits = shownLimits(inForce, deps.limits)
  const texts = t.limitChanges
  const columns: Column<keyof ShownLimits>[] = [
    { title: texts.limit, cell: (name) => t.limits[name] },
    {
      title: texts.used,
      cell: (name) => {
        const count = format.number(used[name])
        const isNearlyUsed =
          used[name] > 0 && isScarce(used[name], Math.max(0, limits[name].max - used[name]))
        return isNearlyUsed ? html`<span class="badge badge-warn">${count}</span>` : count
      },
      className: 'number',
    },
    {
      title: texts.inForce,
      cell: (name) => {
        const max = format.number(limits[name].max)
        return isOwn(limits[name]) ? html`<b>${max}</b>` : max
      },
      className: 'number',
    },
    { title: texts.usual, cell: (name) => format.number(limits[name].default), className: 'number' },
    {
      title: texts.until,
      cell: (name) => {
        const { until } = limits[name]
        return until !== null ? format.moment(until) : isOwn(limits[name]) && texts.noEnd
      },
    },
    {
      title: texts.clear,
      cell: (name) => isOwn(limits[name]) && clearForm(request, name, texts.clear),
      hidesTitle: true,
    },
  ]
  const isChanged = reportedLimits.some((name) => isOwn(limits[name]))
  return html`<section class="card stack" id="limits">
    <h2>${texts.title}</h2>
    <p class="small">${texts.text}</p>
    ${table(columns, reportedLimits, { caption: texts.title, className: 'table-figures' })}
    ${isChanged && clearForm(request, '', texts.clearAll)}
    <details class="disclosure stack" ${flag('open', Object.keys(request.refusal.problems).length > 0)}>
      <summary>${texts.change}</summary>
      ${fieldForm(request, `${agency.path}/limits`, fields(request, limits), texts.save)}
    </details>
  </section>`
}

type Shown = ShownLimits[(typeof reportedLimits)[number]]

/** Whether the limit is the agency's own. A limit set to the default without an end counts as the default. */
function isOwn({ max, default: usual, until }: Shown): boolean {
  return until !== null || max !== usual
}

/** @param name empty for all limits */
function clearForm(request: AgencyRequest, name: string, text: string): Html {
  const label = request.t.limits[name as keyof ShownLimits]
  return postForm(
    request,
    `${request.agency.path}/limits/clear`,
    html`${hiddenField('limit', name)}<button
        class="button button-small"
        ${label !== undefined && html`aria-label="${text}: ${label}"`}
      >
        ${text}
      </button>`,
  )
}

function fields(request: AgencyRequest, limits: ShownLimits): Html {
  const { t, format } = request
  const texts = t.limitChanges
  const maxlength = maxOfLimit.toLocaleString('en').length
  return html`<p class="small muted">${texts.changeHint}</p>
    <div class="field-grid">
      ${reportedLimits.map((name) => formField(request, { name: `max_${name}`, label: t.limits[name], placeholder: format.number(limits[name].max), inputmode: 'numeric', maxlength }))}
    </div>
    ${formField(request, { name: 'until', label: texts.untilLabel, hint: texts.untilHint, type: 'date' })}`
}

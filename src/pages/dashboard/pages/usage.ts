/** The use of the API: requests by day and key, errors by code, and the agency's limits. */
import { listKeys } from '../../../access/keys/keys.ts'
import { errorsByCode, requestsByDay, requestsByKey } from '../../../access/request-log/request-reports.ts'
import { getUsage, noKey } from '../../../limits/usage.ts'
import { html } from '../../../platform/web/html.ts'
import { barList, requestChart, limitMeters } from '../parts/charts.ts'
import { card, framed, linkButton, periodOf } from '../parts/page-parts.ts'
import { agencyPages, type AgencyRequest, withTestPages } from '../serving/page.ts'

async function usagePage(request: AgencyRequest) {
  const { t, deps, agency, base } = request
  const { db, clock } = deps
  const texts = t.usage
  const { days, periodTabs } = periodOf(request, `${agency.path}/usage`)
  const [keys, byDay, byKey, errors, { limits, usage }] = await Promise.all([
    listKeys(db, agency.id, clock),
    requestsByDay(db, agency.id, null, days, clock),
    requestsByKey(db, agency.id, days, clock),
    errorsByCode(db, agency.id, null, days, clock),
    getUsage(deps, agency.id, noKey),
  ])
  const keyBars = byKey.map(({ key_id: id, ...counts }) => {
    const name = keys.find((key) => key.id === id)?.name ?? id
    return { ...counts, name, label: html`<a href="${base}${agency.path}/keys/${id}">${name}</a>` }
  })
  const errorBars = errors.map(({ code, requests: failed }) => {
    return { name: code, label: html`<code>${code}</code>`, succeeded: 0, failed }
  })
  const shared = Object.entries(usage).filter(([name]) => !/^(?:reads|writes)_/.test(name))
  return framed(
    request,
    {
      title: t.nav.usage,
      section: 'usage',
      subtitle: texts.subtitle,
      actions: linkButton(request, `${agency.path}/requests`, t.requests.title, 'rows'),
    },
    html`${periodTabs} ${card(texts.perDay, requestChart(request, byDay, texts.perDay))}
      <div class="columns halves">
        ${card(texts.perKey, barList(request, keyBars, texts.noRequests))}
        ${card(texts.errorsByCode, barList(request, errorBars, texts.noErrors))}
      </div>
      ${card(
        texts.agencyLimits,
        html`${limitMeters(request, limits, Object.fromEntries(shared))}
          <p class="small muted">${texts.keyLimits}</p>`,
      )}`,
  )
}

export const usagePages = withTestPages(agencyPages('GET', '/usage', 'agency', usagePage))

/**
 * The use of the API: requests by day and key, errors by code, and the agency's limits.
 */
import { listKeys } from '../../../access/keys/keys.ts'
import { errorsByCode, requestsByDay, requestsByKey } from '../../../access/keys/request-reports.ts'
import { findUsage, noKey } from '../../../limits/usage.ts'
import { html } from '../../../platform/web/html.ts'
import { barList, dayChart, limitMeters } from '../charts.ts'
import { icon } from '../../framework/icons.ts'
import { agencyCrumbs, pageHead, sectionOf, tabs } from '../page-parts.ts'
import { agencyPages, type AgencyVisit, type Page, type PageResponse, withTestPages } from '../visit.ts'

const periods = [7, 30, 90] as const

async function usagePage(visit: AgencyVisit): Promise<PageResponse> {
  const { t, deps, agency, base, query } = visit
  const { db, clock, config } = deps
  const texts = t.usage
  const days = periods.find((period) => String(period) === query.get('days')) ?? 30
  const [keys, byDay, byKey, errors, { limits, usage }] = await Promise.all([
    listKeys(db, agency.id, clock),
    requestsByDay(db, agency.id, null, days, clock),
    requestsByKey(db, agency.id, days, clock),
    errorsByCode(db, agency.id, null, days, clock),
    findUsage(db, agency.id, noKey, config.limits, clock),
  ])
  const {
    new_listings_per_hour,
    new_listings_per_day,
    photos_per_day,
    geocoding_per_minute,
    geocoding_per_day,
  } = usage
  return {
    title: t.nav.usage,
    section: sectionOf(visit, 'usage'),
    body: html`${pageHead(visit, {
        title: t.nav.usage,
        subtitle: texts.subtitle,
        crumbs: agencyCrumbs(visit),
        actions: html`<a class="button" href="${base}${agency.path}/requests"
          >${icon('rows')}${t.requests.title}</a
        >`,
      })}
      <div class="stack-l">
        ${tabs(
          visit,
          texts.period,
          periods.map((period) => [
            texts.lastDays(period),
            `${agency.path}/usage?days=${period}`,
            period === days,
          ]),
        )}
        <section class="card">
          <h2 class="card-head">${texts.perDay}</h2>
          ${dayChart(visit, byDay, texts.perDay)}
        </section>
        <div class="columns halves">
          <section class="card">
            <h2 class="card-head">${texts.perKey}</h2>
            ${barList(
              visit,
              byKey.map(({ key_id: id, ...counts }) => {
                const name = keys.find((key) => key.id === id)?.name ?? id
                return {
                  ...counts,
                  name,
                  label: html`<a href="${base}${agency.path}/keys/${id}">${name}</a>`,
                }
              }),
              texts.noRequests,
            )}
          </section>
          <section class="card">
            <h2 class="card-head">${texts.errorsByCode}</h2>
            ${barList(
              visit,
              errors.map(({ code, requests }) => ({
                name: code,
                label: html`<code>${code}</code>`,
                succeeded: 0,
                failed: requests,
              })),
              texts.noErrors,
            )}
          </section>
        </div>
        <section class="card">
          <h2 class="card-head">${texts.agencyLimits}</h2>
          ${limitMeters(visit, limits, { new_listings_per_hour, new_listings_per_day, photos_per_day, geocoding_per_minute, geocoding_per_day })}
          <p class="small muted">${texts.keyLimits}</p>
        </section>
      </div>`,
  }
}

export const usagePages: readonly Page[] = withTestPages([
  ...agencyPages('GET', '/usage', 'agency', usagePage),
])

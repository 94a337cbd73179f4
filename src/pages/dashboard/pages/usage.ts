/**
 * The use of the API: requests by day and key, errors by code, and the agency's limits.
 */
import { type ListedKey, listKeys } from '../../../access/keys/keys.ts'
import { errorsByCode, requestsByDay, requestsByKey } from '../../../access/keys/request-reports.ts'
import { findUsage, noKey } from '../../../limits/usage.ts'
import { html, type Html } from '../../../platform/web/html.ts'
import { dayChart, limitMeters, shareBar } from '../charts.ts'
import { icon } from '../icons.ts'
import { agencyCrumbs, pageHead, sectionOf, tabs } from '../page-parts.ts'
import { agencyPages, type AgencyVisit, type Page, type PageAnswer, withTestPages } from '../visit.ts'

const periods = [7, 30, 90] as const

async function usagePage(visit: AgencyVisit): Promise<PageAnswer> {
  const { t, deps, agency, base, format, query } = visit
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
            ${keyBars(visit, keys, byKey)}
          </section>
          <section class="card">
            <h2 class="card-head">${texts.errorsByCode}</h2>
            ${
              errors.length === 0
                ? html`<p class="muted">${texts.noErrors}</p>`
                : html`<ul class="stack">
                    ${errors.map(
                      ({ code, requests }) =>
                        html`<li class="stack-s">
                          <div class="row-apart">
                            <code>${code}</code><span class="number">${format.number(requests)}</span>
                          </div>
                          ${shareBar(0, errors[0]?.requests ?? 1, `${code}: ${requests}`, requests)}
                        </li>`,
                    )}
                  </ul>`
            }
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

function keyBars(
  visit: AgencyVisit,
  keys: readonly ListedKey[],
  counts: Awaited<ReturnType<typeof requestsByKey>>,
): Html {
  const { t, format, base, agency } = visit
  if (counts.length === 0) return html`<p class="muted">${t.usage.noRequests}</p>`
  const most = Math.max(...counts.map(({ succeeded, failed }) => succeeded + failed))
  return html`<ul class="stack">
    ${counts.map(({ key_id: id, succeeded, failed }) => {
      const key = keys.find((one) => one.id === id)
      const name = key?.name ?? id
      const total = format.number(succeeded + failed)
      return html`<li class="stack-s">
        <div class="row-apart">
          <a href="${base}${agency.path}/keys/${id}">${name}</a><span class="number">${total}</span>
        </div>
        ${shareBar(succeeded, most, `${name}: ${total}`, failed)}
      </li>`
    })}
  </ul>`
}

export const usagePages: readonly Page[] = withTestPages([
  ...agencyPages('GET', '/usage', 'agency', usagePage),
])

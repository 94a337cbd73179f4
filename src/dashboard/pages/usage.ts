/**
 * The use of the API: requests by day and key, errors by code, limits, and the request log.
 */
import { isUuid } from '../../ids.ts'
import { type ListedKey, listKeys } from '../../keys/keys.ts'
import { logDays, refusalsKept } from '../../keys/request-log.ts'
import { errorsByCode, listRequests, requestsByDay, requestsByKey } from '../../keys/request-reports.ts'
import { findUsage } from '../../limits/usage.ts'
import { html, type Html } from '../../web/html.ts'
import { dayChart, limitMeters, shareBar } from '../charts.ts'
import { choiceField, inputField, selectField } from '../forms.ts'
import { icon } from '../icons.ts'
import { agencyCrumbs, empty, pageHead, sectionOf, tabs } from '../layout.ts'
import { tableHead } from '../tables.ts'
import { agencyPages, type AgencyVisit, type Page, type PageAnswer, withTestPages } from '../visit.ts'

const periods = [7, 30, 90] as const
/** In place of a key: the limits that all keys of the agency share. */
const noKey = '00000000-0000-0000-0000-000000000000'
const shownRequests = 100

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
    title: texts.title,
    section: sectionOf(visit, 'usage'),
    body: html`${pageHead(visit, {
        title: texts.title,
        subtitle: texts.subtitle,
        crumbs: agencyCrumbs(visit),
        actions: html`<a class="button" href="${base}${agency.path}/requests"
          >${icon('rows')}${texts.requests}</a
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

async function requestsPage(visit: AgencyVisit): Promise<PageAnswer> {
  const { t, deps, agency, base, query } = visit
  const texts = t.usage
  const keyId = isUuid(query.get('key') ?? '') ? (query.get('key') ?? '') : null
  const requestId = (query.get('request_id') ?? '').trim()
  const errorsOnly = query.get('errors') === '1'
  const [keys, requests] = await Promise.all([
    listKeys(deps.db, agency.id, deps.clock),
    listRequests(
      deps.db,
      agency.id,
      { keyId, requestId: requestId === '' ? null : requestId, errorsOnly },
      shownRequests,
    ),
  ])
  const nameOf = (id: string) => keys.find((key) => key.id === id)?.name ?? id
  return {
    title: texts.requests,
    section: sectionOf(visit, 'usage'),
    body: html`${pageHead(visit, { title: texts.requests, subtitle: texts.requestsText(logDays, refusalsKept), crumbs: [...agencyCrumbs(visit), [texts.title, `${agency.path}/usage`]] })}
      <div class="stack-l">
        <form class="card filters" method="get" action="${base}${agency.path}/requests" role="search">
          <div class="filters-main">
            ${inputField({ name: 'request_id', label: texts.requestId, value: requestId, placeholder: 'a27a5c1e-…', maxlength: 40 })}
            ${selectField({ name: 'key', label: texts.key, value: keyId ?? '', choices: [['', texts.allKeys], ...keys.map((key) => [key.id, `${key.name} (${key.prefix}…)`] as const)] })}
            ${choiceField({ name: 'errors', value: '1', label: texts.errorsOnly, chosen: errorsOnly })}
            <button class="button button-primary">${icon('search')}${t.common.search}</button>
          </div>
        </form>
        <section class="card card-flush">
          ${
            requests.length === 0
              ? empty('rows', texts.noneFound, texts.noneFoundText)
              : requestTable(visit, requests, nameOf)
          }
        </section>
        ${requests.length === shownRequests && html`<p class="small muted">${texts.onlyLast(shownRequests)}</p>`}
      </div>`,
  }
}

function statusKind(status: number): string {
  return status >= 500 ? 'badge-bad' : status >= 400 ? 'badge-warn' : 'badge-good'
}

function requestTable(
  visit: AgencyVisit,
  requests: Awaited<ReturnType<typeof listRequests>>,
  nameOf: (id: string) => string,
): Html {
  const { t, format, base, agency } = visit
  const texts = t.usage
  return html`<div class="table-scroll">
    <table class="table table-fold">
      ${tableHead(texts.requests, [texts.request, t.common.status, texts.at, { label: texts.took, className: 'end' }, texts.key])}
      <tbody>
        ${requests.map(
          (one) =>
            html`<tr>
              <td class="lead">
                <p class="mono"><span class="strong">${one.method}</span> ${one.path}</p>
                <p class="mono small muted">${one.request_id}</p>
              </td>
              <td data-label="${t.common.status}">
                <span class="row"
                  ><span class="badge ${statusKind(one.status)}">${one.status}</span>${
                    one.code !== null && html`<code class="small">${one.code}</code>`
                  }</span
                >
              </td>
              <td data-label="${texts.at}" class="nowrap">${format.precise(one.at)}</td>
              <td data-label="${texts.took}" class="end number nowrap">
                ${format.number(Math.round(one.ms * 10) / 10)} ms
              </td>
              <td data-label="${texts.key}">
                <a href="${base}${agency.path}/keys/${one.key_id}">${nameOf(one.key_id)}</a>
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

export const usagePages: readonly Page[] = withTestPages([
  ...agencyPages('GET', '/usage', 'agency', usagePage),
  ...agencyPages('GET', '/requests', 'agency', requestsPage),
])

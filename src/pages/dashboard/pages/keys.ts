/**
 * The keys of an agency: the list, and one key with its permissions, limits and requests.
 */
import { dayMs } from '../../../platform/days.ts'
import { getKey, type ListedKey, listKeys } from '../../../access/keys/keys.ts'
import { errorsByCode, requestsByDay } from '../../../access/keys/request-reports.ts'
import { findUsage } from '../../../limits/usage.ts'
import { uuidv7 } from '../../../platform/ids.ts'
import { html, type Html, joined } from '../../../platform/web/html.ts'
import { testAgencyOf } from '../access.ts'
import { dayChart, limitMeters } from '../charts.ts'
import { inputField, type Problems } from '../../framework/fields.ts'
import { notice, notRefused, postForm, problemSummary, type Refusal } from '../forms.ts'
import { icon } from '../../framework/icons.ts'
import { agencyCrumbs, empty, pageHead, sectionOf } from '../page-parts.ts'
import { ownersNote } from '../owners-note.ts'
import { type Column, factList, muted, table } from '../tables.ts'
import {
  agencyPages,
  type AgencyVisit,
  type Page,
  type PageResponse,
  type Visit,
  withTestPages,
} from '../visit.ts'

const soonMs = 14 * dayMs
const chartDays = 30

export function mayManage({ session }: AgencyVisit): boolean {
  return session.account.role !== 'member'
}

async function listPage(visit: AgencyVisit): Promise<PageResponse> {
  const { t, deps, agency, base } = visit
  const texts = t.keys
  const keys = (await listKeys(deps.db, agency.id, deps.clock)).reverse()
  const twin = agency.isTest ? null : await testAgencyOf(visit, agency)
  const test = twin === null ? [] : await activeKeys(visit, twin)
  const usable = keys.filter(({ status }) => status === 'active')
  const over = keys.filter(({ status }) => status !== 'active')
  const create =
    mayManage(visit) &&
    html`<a class="button button-primary" href="${base}${agency.path}/keys/new"
      >${icon('plus')}${texts.create}</a
    >`
  return {
    title: t.nav.keys,
    section: sectionOf(visit, 'keys'),
    body: html`${pageHead(visit, { title: t.nav.keys, subtitle: texts.subtitle, crumbs: agencyCrumbs(visit), actions: create })}
      <div class="stack-l">
        ${await ownersNote(visit)}
        <section class="card card-flush">
          ${usable.length === 0 ? empty('keys', texts.none, texts.noneText, create) : keyTable(visit, usable, texts.active)}
        </section>
        ${
          twin !== null &&
          test.length > 0 &&
          html`<section class="card card-flush">
            <div class="card-head">
              <h2>${t.test.keysTitle}</h2>
              <a href="${base}${twin.path}">${t.test.open}</a>
            </div>
            ${keyTable({ ...visit, agency: twin }, test, t.test.keysTitle)}
          </section>`
        }
        ${
          over.length > 0 &&
          html`<details class="disclosure">
            <summary>${texts.over(over.length)}</summary>
            <section class="card card-flush action-body">
              ${keyTable(visit, over, texts.over(over.length))}
            </section>
          </details>`
        }
      </div>`,
  }
}

/** The usable keys of an agency, the newest first. */
export async function activeKeys({ deps }: Visit, { id }: { id: string }): Promise<ListedKey[]> {
  const keys = await listKeys(deps.db, id, deps.clock)
  return keys.filter(({ status }) => status === 'active').reverse()
}

export function keyTable(visit: AgencyVisit, keys: readonly ListedKey[], caption: string): Html {
  const { t, format, base, agency } = visit
  const texts = t.keys
  const columns: Column<ListedKey>[] = [
    {
      title: t.common.name,
      cell: ({ id, name }) => html`<a class="row-link" href="${base}${agency.path}/keys/${id}">${name}</a>`,
    },
    { title: texts.beginning, cell: ({ prefix }) => html`<code class="nowrap">${prefix}…</code>` },
    { title: texts.scopes, cell: ({ scopes }) => html`<span>${scopeBadges(scopes)}</span>` },
    {
      title: t.common.lastUsed,
      cell: ({ last_used_at: at }) => (at === null ? muted(t.common.never) : format.ago(at)),
    },
    {
      title: texts.expires,
      cell: ({ expires_at: at }) => (at === null ? muted(texts.noExpiry) : format.date(at)),
    },
    { title: t.common.status, cell: (key) => keyStatus(visit, key) },
  ]
  return table(columns, keys, { caption })
}

function scopeBadges(scopes: readonly string[]): Html {
  return joined(
    scopes.map((scope) => html`<span class="badge">${scope}</span>`),
    ' ',
  )
}

/** Whether the key works, and whether it expires soon. */
export function keyStatus({ t, format }: Visit, key: ListedKey): Html {
  const texts = t.keys.statuses
  if (key.status === 'revoked') return html`<span class="badge badge-bad badge-dot">${texts.revoked}</span>`
  if (key.status === 'expired') return html`<span class="badge badge-warn badge-dot">${texts.expired}</span>`
  if (key.revokes_at !== null)
    return html`<span class="badge badge-warn badge-dot"
      >${texts.until(format.plainDate(key.revokes_at))}</span
    >`
  if (endsSoon(key)) return html`<span class="badge badge-warn badge-dot">${texts.soon}</span>`
  return html`<span class="badge badge-good badge-dot">${t.common.active}</span>`
}

export function endsSoon(key: ListedKey): boolean {
  return (
    key.status === 'active' && key.expires_at !== null && Date.parse(key.expires_at) < Date.now() + soonMs
  )
}

/** One key. @param refusal of a form on this page */
export async function keyPage(
  visit: AgencyVisit,
  { problems, status }: Refusal = notRefused,
): Promise<PageResponse> {
  const { t, deps, agency, base, format, params } = visit
  const texts = t.keys
  const key = await getKey(deps.db, agency.id, params['key'] ?? '', deps.clock)
  const [{ limits, usage }, days, errors] = await Promise.all([
    findUsage(deps.db, agency.id, key.id, deps.config.limits, deps.clock),
    requestsByDay(deps.db, agency.id, key.id, chartDays, deps.clock),
    errorsByCode(deps.db, agency.id, key.id, chartDays, deps.clock),
  ])
  const { reads_per_minute, reads_per_day, writes_per_minute, writes_per_day } = usage
  const facts: readonly (readonly [string, Html | string])[] = [
    [texts.beginning, html`<code>${key.prefix}…</code>`],
    [t.common.status, keyStatus(visit, key)],
    [texts.scopes, scopeBadges(key.scopes)],
    [t.common.created, format.moment(key.created_at)],
    [t.common.lastUsed, key.last_used_at === null ? t.common.never : format.ago(key.last_used_at)],
    [texts.expires, key.expires_at === null ? texts.noExpiry : format.moment(key.expires_at)],
    ...(key.revoked_at === null ? [] : [[texts.statuses.revoked, format.moment(key.revoked_at)] as const]),
    [texts.signature, key.signature_required ? texts.signatureOn : texts.signatureOff],
    [
      texts.origins,
      key.allowed_origins.length === 0
        ? texts.noOrigins
        : joined(
            key.allowed_origins.map((origin) => html`<code>${origin}</code>`),
            html`<br />`,
          ),
    ],
  ]
  return {
    title: key.name,
    section: sectionOf(visit, 'keys'),
    status,
    body: html`${pageHead(visit, { title: key.name, crumbs: [...agencyCrumbs(visit), [t.nav.keys, `${agency.path}/keys`]] })}
      <div class="stack-l">
        ${problemSummary(visit, problems)}
        ${endsSoon(key) && notice('warn', texts.endsSoon(format.plainDate(key.expires_at ?? '')))}
        <div class="listing-columns">
          <div class="stack-l">
            <section class="card">
              <h2 class="card-head">${texts.facts}</h2>
              ${factList(facts)}
            </section>
            ${mayManage(visit) && key.status !== 'revoked' && actions(visit, key, problems)}
            ${await ownersNote(visit)}
          </div>
          <div class="stack-l">
            <section class="card">
              <div class="card-head">
                <h2>${texts.activity}</h2>
                <a href="${base}${agency.path}/requests?key=${key.id}">${texts.seeRequests}</a>
              </div>
              ${dayChart(visit, days, texts.activity)}
              ${
                errors.length > 0 &&
                html`<p class="small muted">
                  ${texts.errors}
                  ${joined(
                    errors
                      .slice(0, 4)
                      .map(({ code, requests }) => html`<code>${code}</code> ×${format.number(requests)}`),
                    ', ',
                  )}
                </p>`
              }
            </section>
            <section class="card">
              <h2 class="card-head">${texts.limits}</h2>
              ${limitMeters(visit, limits, { reads_per_minute, reads_per_day, writes_per_minute, writes_per_day })}
            </section>
          </div>
        </div>
      </div>`,
  }
}

function actions(visit: AgencyVisit, key: ListedKey, problems: Problems): Html {
  const { t, agency, form, format } = visit
  const texts = t.keys
  const path = `${agency.path}/keys/${key.id}`
  return html`<section class="card stack">
    <h2>${t.common.actions}</h2>
    <details class="action" name="key-action">
      <summary class="button button-wide">${icon('rotate')}${texts.rotate}</summary>
      <div class="action-body">
        ${postForm(
          visit,
          `${path}/rotate`,
          html`<div class="stack">
            <p class="small">${texts.rotateText}</p>
            <input type="hidden" name="new_id" value="${uuidv7()}" />
            ${inputField({ name: 'revokes_on', label: texts.revokesOn, hint: texts.revokesOnHint, type: 'date', value: form.get('revokes_on') ?? '' })}
            <button class="button button-primary">${texts.rotateNow}</button>
          </div>`,
        )}
      </div>
    </details>
    <details class="action" name="key-action" ${problems['revokes_at'] !== undefined && html` open`}>
      <summary class="button button-wide">${texts.setEnd}</summary>
      <div class="action-body">
        ${postForm(
          visit,
          `${path}/end`,
          html`<div class="stack">
            <p class="small">
              ${key.revokes_at === null ? texts.setEndText : texts.endIs(format.plainMoment(key.revokes_at))}
            </p>
            ${inputField({ name: 'revokes_at', label: texts.endDate, hint: texts.revokesOnHint, type: 'date', value: form.get('revokes_at') ?? key.revokes_at?.slice(0, 10) ?? '', problems })}
            <button class="button button-primary">${t.common.save}</button>
          </div>`,
        )}
      </div>
    </details>
    <details class="action" name="key-action">
      <summary class="button button-danger button-wide">${texts.revoke}</summary>
      <div class="action-body">
        ${postForm(
          visit,
          `${path}/revoke`,
          html`<div class="stack">
            <p class="small">${texts.revokeText}</p>
            <button class="button button-danger">${texts.revokeNow}</button>
          </div>`,
        )}
      </div>
    </details>
  </section>`
}

export const keyPages: readonly Page[] = withTestPages([
  ...agencyPages('GET', '/keys', 'agency', listPage),
  ...agencyPages('GET', '/keys/:key', 'agency', (visit) => keyPage(visit)),
])

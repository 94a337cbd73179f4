/** The keys of an agency: the list, and one key with its permissions, limits and requests. */
import type { Clock } from '../../../../platform/time/clock.ts'
import { dayMs } from '../../../../platform/time/days.ts'
import { getKey, type ListedKey, listKeys } from '../../../../access/keys/keys.ts'
import { errorsByCode, requestsByDay } from '../../../../access/request-log/request-reports.ts'
import { getUsage } from '../../../../limits/usage.ts'
import { uuidv7 } from '../../../../platform/names/ids.ts'
import { html, type Html, joined } from '../../../../platform/web/html.ts'
import { icon } from '../../../framework/icons.ts'
import { twinOf } from '../../serving/access.ts'
import { requestChart, limitMeters } from '../../parts/charts.ts'
import { fieldForm, formField, hiddenField, notice } from '../../forms/forms.ts'
import { card, empty, framed, linkButton, stateBadge } from '../../parts/page-parts.ts'
import {
  agoOrNever,
  type Column,
  factList,
  muted,
  table,
  tablePage,
  type TablePage,
} from '../../parts/tables.ts'
import { agencyPages, type AgencyRequest, type PageRequest, withTestPages } from '../../serving/page.ts'
import { ownersNote } from '../people/people.ts'

const soonMs = 14 * dayMs
const chartDays = 30

export function mayManage({ session }: AgencyRequest): boolean {
  return session.account.role !== 'member'
}

/** The active keys. Active test keys, and keys that no longer work, follow. */
async function keysTable(request: AgencyRequest): Promise<TablePage<ListedKey>> {
  const { t, deps, agency, base } = request
  const texts = t.keys
  const keys = (await listKeys(deps.db, agency.id, deps.clock)).reverse()
  const twin = agency.isTest ? null : await twinOf(request, agency)
  const test = twin === null ? [] : await activeKeys(request, twin)
  const over = keys.filter((key) => !isActive(key))
  const create =
    mayManage(request) &&
    linkButton(request, `${agency.path}/keys/new`, texts.create, 'plus', 'button-primary')
  const openTest = html`<a href="${base}${twin?.path}">${t.test.open}</a>`
  return {
    title: t.nav.keys,
    section: 'keys',
    path: `${agency.path}/keys`,
    subtitle: texts.subtitle,
    actions: create,
    above: await ownersNote(request),
    columns: keyColumns(request),
    find: async () => ({
      rows: keys.filter(isActive),
      foot: html`${twin !== null && test.length > 0 && card(t.test.keysTitle, keyTable({ ...request, agency: twin }, test, t.test.keysTitle), openTest, 'card-flush')}
      ${
        over.length > 0 &&
        html`<details class="disclosure">
          <summary>${texts.over(over.length)}</summary>
          <section class="card card-flush action-body">
            ${keyTable(request, over, texts.over(over.length))}
          </section>
        </details>`
      }`,
    }),
    none: empty('keys', texts.none, texts.noneText, create),
  }
}

const isActive = ({ status }: ListedKey): boolean => status === 'active'

export async function activeKeys({ deps }: PageRequest, { id }: { id: string }): Promise<ListedKey[]> {
  return (await listKeys(deps.db, id, deps.clock)).filter(isActive).reverse()
}

export function keyTable(request: AgencyRequest, keys: readonly ListedKey[], caption: string): Html {
  return table(keyColumns(request), keys, { caption })
}

function keyColumns(request: AgencyRequest): Column<ListedKey>[] {
  const { t, format, base, agency } = request
  const texts = t.keys
  return [
    {
      title: t.common.name,
      cell: ({ id, name }) => html`<a class="row-link" href="${base}${agency.path}/keys/${id}">${name}</a>`,
    },
    { title: t.common.key, cell: ({ prefix }) => html`<code class="nowrap">${prefix}…</code>` },
    { title: texts.scopes, cell: ({ scopes }) => html`<span>${scopeBadges(scopes)}</span>` },
    { title: t.common.lastUsed, cell: ({ last_used_at: at }) => agoOrNever(request, at) },
    {
      title: texts.expires,
      cell: ({ expires_at: at }) => (at === null ? muted(texts.noExpiry) : format.date(at)),
    },
    { title: t.common.status, cell: (key) => keyStatus(request, key) },
  ]
}

function scopeBadges(scopes: readonly string[]): Html {
  return joined(
    scopes.map((scope) => html`<span class="badge">${scope}</span>`),
    ' ',
  )
}

function keyStatus({ t, deps, format }: PageRequest, key: ListedKey): Html {
  const texts = t.keys.statuses
  if (key.status === 'revoked') return stateBadge('bad', texts.revoked)
  if (key.status === 'expired') return stateBadge('warn', texts.expired)
  if (key.revokes_at !== null) return stateBadge('warn', texts.until(format.plainDate(key.revokes_at)))
  if (endsSoon(deps.clock, key)) return stateBadge('warn', texts.soon)
  return stateBadge('good', t.common.active)
}

export function endsSoon({ offsetMs }: Clock, { status, expires_at: at }: ListedKey): boolean {
  return status === 'active' && at !== null && Date.parse(at) < Date.now() + offsetMs + soonMs
}

export async function keyPage(request: AgencyRequest) {
  const { t, deps, agency, base, format, params } = request
  const texts = t.keys
  const key = await getKey(deps.db, agency.id, params['key'] ?? '', deps.clock)
  const [{ limits, usage }, days, errors] = await Promise.all([
    getUsage(deps, agency.id, key.id),
    requestsByDay(deps.db, agency.id, key.id, chartDays, deps.clock),
    errorsByCode(deps.db, agency.id, key.id, chartDays, deps.clock),
  ])
  const ofKey = Object.entries(usage).filter(([name]) => /^(?:reads|writes)_/.test(name))
  const origins = key.allowed_origins.map((origin) => html`<code>${origin}</code>`)
  const facts = [
    [t.common.key, html`<code>${key.prefix}…</code>`],
    [t.common.status, keyStatus(request, key)],
    [texts.scopes, scopeBadges(key.scopes)],
    [t.common.created, format.moment(key.created_at)],
    [t.common.lastUsed, key.last_used_at === null ? t.common.never : format.ago(key.last_used_at)],
    [texts.expires, key.expires_at === null ? texts.noExpiry : format.moment(key.expires_at)],
    [texts.statuses.revoked, key.revoked_at !== null && format.moment(key.revoked_at)],
    [texts.signature, key.signature_required ? texts.signatureOn : texts.signatureOff],
    [texts.origins, origins.length === 0 ? texts.noOrigins : joined(origins, html`<br />`)],
  ] as const
  const codes = errors
    .slice(0, 4)
    .map(({ code, requests }) => html`<code>${code}</code> ×${format.number(requests)}`)
  return framed(
    request,
    { title: key.name, section: 'keys', below: [[t.nav.keys, `${agency.path}/keys`]] },
    html`${endsSoon(deps.clock, key) && notice('warn', texts.endsSoon(format.plainDate(key.expires_at ?? '')))}
      <div class="listing-columns">
        <div class="stack-l">
          ${card(texts.facts, factList(facts))}
          ${mayManage(request) && key.status !== 'revoked' && actions(request, key)}
          ${await ownersNote(request)}
        </div>
        <div class="stack-l">
          ${card(
            texts.activity,
            html`${requestChart(request, days, texts.activity)}
            ${codes.length > 0 && html`<p class="small muted">${texts.errors} ${joined(codes, ', ')}</p>`}`,
            html`<a href="${base}${agency.path}/requests?key=${key.id}">${texts.seeRequests}</a>`,
          )}
          ${card(texts.limits, limitMeters(request, limits, Object.fromEntries(ofKey)))}
        </div>
      </div>`,
  )
}

function actions(request: AgencyRequest, key: ListedKey): Html {
  const { t, agency, format, refusal } = request
  const texts = t.keys
  const path = `${agency.path}/keys/${key.id}`
  const action = (summary: Html, form: Html, look = '', isOpen = false) =>
    html`<details class="action" name="key-action" ${isOpen && html` open`}>
      <summary class="button button-wide ${look}">${summary}</summary>
      <div class="action-body">${form}</div>
    </details>`
  const rotation = html`<p class="small">${texts.rotateText}</p>
    ${hiddenField('new_id', uuidv7())}
    ${formField(request, { name: 'revokes_on', label: texts.revokesOn, hint: texts.revokesOnHint, type: 'date' })}`
  const end = html`<p class="small">
      ${key.revokes_at === null ? texts.setEndText : texts.endIs(format.plainMoment(key.revokes_at))}
    </p>
    ${formField(request, { name: 'revokes_at', label: texts.endDate, hint: texts.revokesOnHint, type: 'date', value: key.revokes_at?.slice(0, 10) })}`
  const revocation = html`<p class="small">${texts.revokeText}</p>`
  const isEndWrong = refusal.problems['revokes_at'] !== undefined
  return html`<section class="card stack">
    <h2>${t.common.actions}</h2>
    ${action(html`${icon('rotate')}${texts.rotate}`, fieldForm(request, `${path}/rotate`, rotation, texts.rotateNow))}
    ${action(html`${texts.setEnd}`, fieldForm(request, `${path}/end`, end, t.common.save), '', isEndWrong)}
    ${action(html`${texts.revoke}`, fieldForm(request, `${path}/revoke`, revocation, texts.revokeNow, { look: 'button-danger' }), 'button-danger')}
  </section>`
}

export const keyPages = withTestPages([
  ...agencyPages('GET', '/keys', 'agency', async (request) => tablePage(request, await keysTable(request))),
  ...agencyPages('GET', '/keys/:key', 'agency', keyPage),
])

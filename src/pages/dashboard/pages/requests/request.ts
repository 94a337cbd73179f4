/** One request of the log, for developers: request, response, and links to the documentation. */
import { ApiError } from '../../../../platform/errors/errors.ts'
import { listKeys } from '../../../../access/keys/keys.ts'
import type { LoggedItem } from '../../../../access/request-log/request-detail.ts'
import { findRequest, type LoggedDetail } from '../../../../access/request-log/request-search.ts'
import type { LimitName } from '../../../../limits/table.ts'
import { html, type Html, nothing } from '../../../../platform/web/html.ts'
import { copyButton, notice } from '../../forms/forms.ts'
import { card, framed } from '../../parts/page-parts.ts'
import { missingText } from '../../forms/problems.ts'
import { type Column, factList, muted, table } from '../../parts/tables.ts'
import type { AgencyRequest, PageRequest } from '../../serving/page.ts'

export async function requestPage(request: AgencyRequest) {
  const { t, deps, agency, base, format, params } = request
  const texts = t.requests
  const logged = await findRequest(deps.db, agency.id, params['request'] ?? '')
  if (logged === null) throw new ApiError('not_found', { message: 'There is no such request.' })
  const [key] = await listKeys(deps.db, agency.id, deps.clock, logged.key_id)
  const { detail, key_id: keyId } = logged
  const code = detail?.listing ?? /\/properties\/([2-9A-Z]{8})(?:\/|$)/i.exec(logged.path)?.[1]
  const title = `${logged.method} ${logged.path}`
  const own = base + agency.path
  const outcome = html`${statusBadge(logged.status)} ${logged.code !== null && codeLink(request, logged.code)}`
  return framed(
    request,
    {
      title,
      section: 'usage',
      heading: html`<span class="mono request-title">${title}</span>`,
      below: [[texts.title, `${agency.path}/requests`]],
    },
    html`<section class="card">
        ${factList([
          [t.common.status, outcome],
          [t.common.at, format.precise(logged.at)],
          [texts.took, durationText(request, logged.ms)],
          [t.common.key, html`<a href="${own}/keys/${keyId}">${key?.name ?? keyId}</a>`],
          [
            texts.id,
            html`<code id="request-id">${logged.request_id}</code> ${copyButton(request, 'request-id')}`,
          ],
          [
            t.common.listing,
            code !== undefined && html`<a href="${own}/listings/${code}"><code>${code}</code></a>`,
          ],
          [texts.sender, detail?.user_agent],
        ])}
        <p class="small muted">${texts.notKept}</p>
      </section>
      ${responsePart(request, logged)}`,
  )
}

function responsePart(request: AgencyRequest, { status, code, detail }: LoggedDetail): Html {
  const { t, base, language } = request
  const texts = t.requests
  const {
    message,
    parameter,
    errors,
    warnings = [],
    items = [],
    missing,
    limits,
    left_out: leftOut,
  } = detail ?? {}
  const wrong = errors ?? (parameter === undefined || message === undefined ? [] : [{ parameter, message }])
  const limitText = (name: string) => t.limits[name as LimitName & keyof typeof t.limits] ?? name
  const noticed = warnings.map((one) => ({ parameter: one.parameter ?? one.code, message: one.message }))
  const isEnglish = message !== undefined || warnings.length > 0
  return card(
    texts.response,
    html`${detail?.is_replay === true && notice('info', texts.replay)}
    ${detail?.is_dry_run === true && notice('info', texts.dryRun)}
    ${
      code === null
        ? html`<p>${outcomeText(request, status, items)}</p>`
        : html`${message !== undefined && wrong.length === 0 && html`<p lang="en">${message}</p>`}
            ${messageTable(request, texts.errors, wrong)}
            <p>
              <a href="${base}/docs/errors#${code}">${texts.docs}: <code>${code}</code></a>
            </p>`
    }
    ${missing !== undefined && html`<p>${texts.missing}: ${missing.map((name) => missingText(request, name)).join(', ')}</p>`}
    ${limits !== undefined && html`<p>${texts.limits}: ${limits.map(limitText).join(', ')}</p>`}
    ${messageTable(request, texts.warnings, noticed)} ${items.length > 0 && itemTable(request, items)}
    ${leftOut !== undefined && html`<p class="small muted">${texts.leftOut(leftOut)}</p>`}
    ${language !== 'en' && isEnglish && html`<p class="small muted">${texts.english}</p>`}`,
  )
}

function outcomeText({ t }: PageRequest, status: number, items: readonly LoggedItem[]): string {
  const texts = t.requests
  const failed = items.filter((item) => item.status >= 400).length
  if (failed > 0) return texts.someFailed(failed, items.length)
  return status < 400 ? texts.success : texts.noDetail
}

type Message = Readonly<{ parameter: string; message: string }>

function messageTable({ t }: PageRequest, caption: string, rows: readonly Message[]): Html {
  const texts = t.requests
  if (rows.length === 0) return nothing
  const columns: Column<Message>[] = [
    { title: texts.parameter, cell: ({ parameter }) => html`<code>${parameter}</code>` },
    { title: texts.message, cell: ({ message }) => html`<span lang="en">${message}</span>` },
  ]
  return html`<div class="stack-s">
    <h3>${caption}</h3>
    ${table(columns, rows)}
  </div>`
}

function itemTable(request: AgencyRequest, items: readonly LoggedItem[]): Html {
  const { t } = request
  const texts = t.requests
  const columns: Column<LoggedItem>[] = [
    {
      title: texts.item,
      cell: ({ index, action }) =>
        html`<span class="number">${index}</span> ${action !== null && html`<code>${action}</code>`}`,
    },
    {
      title: t.listings.externalId,
      cell: ({ external_id: id }) => (id === null ? muted() : html`<code>${id}</code>`),
    },
    { title: t.common.status, cell: ({ status }) => statusBadge(status) },
    {
      title: t.common.result,
      cell: ({ code, message, parameter }) =>
        code === undefined
          ? muted()
          : html`<span class="stack-s"
              ><span
                >${codeLink(request, code)}${parameter !== undefined && html` <code>${parameter}</code>`}</span
              ><span lang="en" class="small">${message}</span></span
            >`,
    },
  ]
  return html`<div class="stack-s">
    <h3>${texts.items}</h3>
    ${table(
      columns,
      items.toSorted((a, b) => a.index - b.index),
    )}
  </div>`
}

export function durationText({ format }: PageRequest, ms: number): string {
  return `${format.number(Math.round(ms * 10) / 10)} ms`
}

export function statusBadge(status: number): Html {
  const kind = status >= 500 ? 'badge-bad' : status >= 400 ? 'badge-warn' : 'badge-good'
  return html`<span class="badge ${kind}">${status}</span>`
}

export function codeLink({ base }: PageRequest, code: string): Html {
  return html`<a href="${base}/docs/errors#${code}"><code>${code}</code></a>`
}

/**
 * What happened to a listing: who, what, from what to what, when.
 */
import { html, type Html } from '../../pages/html.ts'
import type { HistoryEntry } from '../../properties/history.ts'
import type { Visit } from '../visit.ts'

const longest = 160

export function historyPart(visit: Visit, history: readonly HistoryEntry[]): Html {
  const { t } = visit
  return html`<section class="card" id="history">
    <h2 class="card-head">${t.listings.history}</h2>
    <ol class="timeline">
      ${[...history].reverse().map((entry) => html`<li>${entryPart(visit, entry)}</li>`)}
    </ol>
  </section>`
}

function entryPart(visit: Visit, { at, action, actor, changes, request_id: requestId }: HistoryEntry): Html {
  const { t, format } = visit
  const texts = t.listings
  const fields = Object.entries(changes)
  return html`<p>
      <span class="strong">${texts.actions[action] ?? action}</span>
      <span class="muted">· ${texts.by[actor.kind](actor.name)}</span>
    </p>
    <p class="small muted">${format.moment(at)}${requestId !== null && html` · <code>${requestId}</code>`}</p>
    ${
      fields.length > 0 &&
      html`<details class="disclosure small">
        <summary>${texts.changed(fields.length)}</summary>
        <table class="changes">
          <thead>
            <tr>
              <th scope="col">${texts.field}</th>
              <th scope="col">${texts.from}</th>
              <th scope="col">${texts.to}</th>
            </tr>
          </thead>
          <tbody>
            ${fields.map(
              ([name, { from, to }]) =>
                html`<tr>
                  <td>${texts.fields[name as keyof typeof texts.fields] ?? name}</td>
                  <td>${shown(visit, from)}</td>
                  <td>${shown(visit, to)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </details>`
    }`
}

/** A value of any shape, in short. */
function shown({ t, format }: Visit, value: unknown): Html {
  const texts = t.listings
  if (value === null || value === undefined || value === '') return html`<span class="muted">–</span>`
  if (typeof value === 'boolean') return html`${value ? t.common.yes : t.common.no}`
  if (typeof value === 'number') return html`${format.number(value)}`
  if (typeof value === 'string') {
    const named = { ...texts.statuses, ...texts.operations, ...texts.reasons } as Record<string, string>
    return html`${Object.hasOwn(named, value) ? named[value] : cut(value)}`
  }
  if (Array.isArray(value)) {
    const isPhotos = value.every((one) => typeof one === 'string' && one.length > 40)
    if (value.length === 0) return html`<span class="muted">–</span>`
    return html`${isPhotos ? texts.photoCount(value.length) : cut(value.join(', '))}`
  }
  const parts = Object.entries(value as object).filter(([, part]) => part !== null && part !== false)
  if (parts.length === 0) return html`<span class="muted">–</span>`
  return html`${cut(parts.map(([name, part]) => `${name}: ${String(part)}`).join(', '))}`
}

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

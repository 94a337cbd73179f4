/**
 * The filters of the request log: as a form, as read from a URL, and as the URL of the same filters.
 */
import { catalogue } from '../../errors.ts'
import { isUuid } from '../../ids.ts'
import type { ListedKey } from '../../keys/keys.ts'
import { noFilter, type RequestFilter } from '../../keys/request-search.ts'
import { dayStart } from '../../web/format.ts'
import { html, type Html } from '../../web/html.ts'
import { inputField, selectField } from '../forms.ts'
import { icon } from '../icons.ts'
import type { AgencyVisit } from '../visit.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']
const statuses = [200, 201, 304, 400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 429, 500, 503]
const names = ['key', 'method', 'path', 'status', 'code', 'parameter', 'from', 'to'] as const
const dayMs = 86_400_000

/** What is none of a filter's values filters nothing. */
export function requestFilter(query: URLSearchParams): RequestFilter {
  const oneOf = (name: string, values: readonly string[]): string | null => {
    const value = query.get(name) ?? ''
    return values.includes(value) ? value : null
  }
  const text = (name: string): string | null => query.get(name)?.trim().slice(0, 200) || null
  const key = query.get('key') ?? ''
  const status = query.get('status') ?? ''
  const from = dayStart(query.get('from') ?? '')
  const to = dayStart(query.get('to') ?? '')
  return {
    ...noFilter,
    keyId: isUuid(key) ? key : null,
    method: oneOf('method', methods),
    path: text('path'),
    status: /^([2-5]|[2-5]\d\d)$/.test(status) ? Number(status) : null,
    code: oneOf('code', Object.keys(catalogue)),
    parameter: text('parameter'),
    from: from === null ? null : new Date(from).toISOString(),
    before: to === null ? null : new Date(to + dayMs).toISOString(),
  }
}

/** The URL's filters, with other values for some; null leaves one out. Begins with `?`, or is empty. */
export function filterQuery(
  query: URLSearchParams,
  changes: Readonly<Record<string, string | null>> = {},
): string {
  const kept = new URLSearchParams()
  for (const name of new Set([...names, ...Object.keys(changes)])) {
    const value = name in changes ? changes[name] : query.get(name)
    if (value) kept.set(name, value)
  }
  const text = kept.toString()
  return text === '' ? '' : `?${text}`
}

/** @param path of the page, below the base */
export function filterForm(visit: AgencyVisit, path: string, keys: readonly ListedKey[]): Html {
  const { t, base, query } = visit
  const texts = t.requests
  const value = (name: string) => query.get(name) ?? ''
  const plain = (values: readonly (string | number)[]) =>
    values.map((one) => [String(one), String(one)] as const)
  return html`<details class="card disclosure" ${filterQuery(query) !== '' && html` open`}>
    <summary>${texts.filter}</summary>
    <form class="action-body stack" method="get" action="${base}${path}" role="search">
      <div class="form-row">
        ${inputField({ name: 'from', label: texts.from, type: 'date', value: value('from') })}
        ${inputField({ name: 'to', label: texts.to, type: 'date', value: value('to') })}
        ${selectField({ name: 'key', label: texts.key, value: value('key'), choices: [['', texts.allKeys], ...keys.map((key) => [key.id, `${key.name} (${key.prefix}…)`] as const)] })}
        ${selectField({ name: 'method', label: texts.method, value: value('method'), choices: [['', texts.anyMethod], ...plain(methods)] })}
        ${selectField({ name: 'status', label: texts.status, value: value('status'), choices: [['', texts.anyStatus], ...Object.entries(texts.classes), ...plain(statuses)] })}
        ${selectField({ name: 'code', label: texts.code, value: value('code'), choices: [['', texts.anyCode], ...plain(Object.keys(catalogue))] })}
        ${inputField({ name: 'path', label: texts.path, hint: texts.pathHint, value: value('path'), placeholder: '/api/v1/properties', maxlength: 200 })}
        ${inputField({ name: 'parameter', label: texts.parameter, value: value('parameter'), placeholder: 'price.amount', maxlength: 200 })}
      </div>
      <div class="form-actions">
        <button class="button button-primary">${icon('search')}${texts.filter}</button>
        ${filterQuery(query) !== '' && html`<a class="button button-quiet" href="${base}${path}">${texts.clear}</a>`}
      </div>
    </form>
  </details>`
}

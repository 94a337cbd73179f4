/**
 * The filters of the request log: as a form, as read from a URL, and as the URL of the same filters.
 */
import { catalogue } from '../../../platform/error-catalogue.ts'
import { isUuid } from '../../../platform/ids.ts'
import type { ListedKey } from '../../../access/keys/keys.ts'
import { noFilter, type RequestFilter } from '../../../access/keys/request-search.ts'
import { html, type Html } from '../../../platform/web/html.ts'
import { filterBox, periodAsked, periodFields, textAsked } from '../filters.ts'
import { inputField, selectField } from '../forms.ts'
import type { AgencyVisit } from '../visit.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']
const statuses = [200, 201, 304, 400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 429, 500, 503]
const names = ['key', 'method', 'path', 'status', 'code', 'parameter', 'from', 'to'] as const

/** What is none of a filter's values filters nothing. */
export function requestFilter(query: URLSearchParams): RequestFilter {
  const oneOf = (name: string, values: readonly string[]): string | null => {
    const value = query.get(name) ?? ''
    return values.includes(value) ? value : null
  }
  const key = query.get('key') ?? ''
  const status = query.get('status') ?? ''
  return {
    ...noFilter,
    keyId: isUuid(key) ? key : null,
    method: oneOf('method', methods),
    path: textAsked(query, 'path'),
    status: /^([2-5]|[2-5]\d\d)$/.test(status) ? Number(status) : null,
    code: oneOf('code', Object.keys(catalogue)),
    parameter: textAsked(query, 'parameter'),
    ...periodAsked(query),
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
  const { t, query } = visit
  const texts = t.requests
  const value = (name: string) => query.get(name) ?? ''
  const plain = (values: readonly (string | number)[]) =>
    values.map((one) => [String(one), String(one)] as const)
  const fields = html`${periodFields(visit)}
  ${selectField({ name: 'key', label: texts.key, value: value('key'), choices: [['', texts.allKeys], ...keys.map((key) => [key.id, `${key.name} (${key.prefix}…)`] as const)] })}
  ${selectField({ name: 'method', label: texts.method, value: value('method'), choices: [['', texts.anyMethod], ...plain(methods)] })}
  ${selectField({ name: 'status', label: texts.status, value: value('status'), choices: [['', texts.anyStatus], ...Object.entries(texts.classes), ...plain(statuses)] })}
  ${selectField({ name: 'code', label: texts.code, value: value('code'), choices: [['', texts.anyCode], ...plain(Object.keys(catalogue))] })}
  ${inputField({ name: 'path', label: texts.path, hint: texts.pathHint, value: value('path'), placeholder: '/api/v1/properties', maxlength: 200 })}
  ${inputField({ name: 'parameter', label: texts.parameter, value: value('parameter'), placeholder: 'price.amount', maxlength: 200 })}`
  return filterBox(visit, { path, isFiltered: filterQuery(query) !== '', fields })
}

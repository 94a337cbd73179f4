/** The filters of the request log: the fields, and the search that a URL describes. */
import { catalogue } from '../../../../platform/errors/error-catalogue.ts'
import { isUuid } from '../../../../platform/names/ids.ts'
import type { ListedKey } from '../../../../access/keys/keys.ts'
import type { RequestFilter } from '../../../../access/request-log/request-search.ts'
import { type Filter, chosenValue, typedPeriod, periodFilters, typedText } from '../../parts/filters.ts'
import type { AgencyRequest } from '../../serving/page.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']
const statuses = [200, 201, 304, 400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 429, 500, 503]

export const filterNames = ['key', 'method', 'path', 'status', 'code', 'parameter', 'from', 'to'] as const

/** Ignores values that a filter does not offer. */
export function requestFilter(query: URLSearchParams): RequestFilter {
  const key = query.get('key') ?? ''
  const status = query.get('status') ?? ''
  return {
    keyId: isUuid(key) ? key : null,
    method: chosenValue(query, 'method', methods),
    path: typedText(query, 'path'),
    status: /^([2-5]|[2-5]\d\d)$/.test(status) ? Number(status) : null,
    code: chosenValue(query, 'code', Object.keys(catalogue)),
    parameter: typedText(query, 'parameter'),
    ...typedPeriod(query),
  }
}

export function filtersOf(request: AgencyRequest, keys: readonly ListedKey[]): Filter[] {
  const { t } = request
  const texts = t.requests
  const choices = (any: string, values: readonly (string | number)[]) =>
    [['', any], ...values.map((one) => [String(one), String(one)] as const)] as const
  const [anyStatus, ...eachStatus] = choices(texts.any, statuses)
  const ofStatus = [anyStatus, ...Object.entries(texts.classes), ...eachStatus]
  const ofKeys = keys.map((key) => [key.id, `${key.name} (${key.prefix}…)`] as const)
  const path = { hint: texts.pathHint, placeholder: '/api/v1/properties', maxlength: 200 }
  return [
    ...periodFilters(request),
    { name: 'key', label: t.common.key, choices: [['', texts.allKeys], ...ofKeys] },
    { name: 'method', label: texts.method, choices: choices(texts.any, methods) },
    { name: 'status', label: t.common.status, choices: ofStatus },
    { name: 'code', label: texts.code, choices: choices(texts.any, Object.keys(catalogue)) },
    { name: 'path', label: texts.path, ...path },
    { name: 'parameter', label: texts.parameter, placeholder: 'price.amount', maxlength: 200 },
  ]
}

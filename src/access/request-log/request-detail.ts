/** Details of a response for the request log, besides status and code, so that a developer sees why a request failed. */
import { withoutKeys } from '../keys/key-format.ts'

type LoggedWarning = Readonly<{ code: string; message: string; parameter?: string }>

/** An item of a batch. */
export type LoggedItem = Readonly<{
  index: number
  external_id: string | null
  action: string | null
  status: number
  code?: string
  message?: string
  parameter?: string
}>

/** Texts come from the response. It contains no key and nothing of the request's body or query. */
export type RequestDetail = Readonly<{
  message?: string
  parameter?: string
  /** All wrong parameters, where there are several. */
  errors?: readonly Readonly<{ parameter: string; message: string }>[]
  /** The limits that caused a 429. */
  limits?: readonly string[]
  /** Missing fields that prevented publishing. */
  missing?: readonly string[]
  /** The public code of the listing that was created or changed, or that has the same address. */
  listing?: string
  warnings?: readonly LoggedWarning[]
  items?: readonly LoggedItem[]
  /** Only with an error. */
  user_agent?: string
  is_replay?: true
  is_dry_run?: true
  /** The number of errors, warnings and items omitted for lack of space. */
  left_out?: number
}>

const maxBytes = 8_192
const maxTextLength = 300

/** PostgreSQL's JSON accepts neither U+0000 nor half of a surrogate pair. Secret parts of keys are removed. */
function cut(text: string): string {
  return withoutKeys(text.slice(0, maxTextLength).replaceAll('\0', '\u{fffd}')).toWellFormed()
}

function cutAll<T>(value: T): T {
  if (typeof value === 'string') return cut(value) as T
  if (Array.isArray(value)) return value.map(cutAll) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cutAll(member)])) as T
}

/** The entries that fit, in order, and the number of the others. */
function fitting<T>(entries: readonly T[], room: { bytes: number; leftOut: number }): T[] {
  return entries.filter((entry) => {
    room.bytes -= Buffer.byteLength(JSON.stringify(entry))
    if (room.bytes >= 0) return true
    room.leftOut += 1
    return false
  })
}

/** @returns the detail as JSON of at most some 8 KB, with the failed items of a batch first; null if there are no details */
export function writeDetail(detail: RequestDetail): string | null {
  const { errors = [], warnings = [], items = [], ...rest } = cutAll(detail)
  const room = { bytes: maxBytes, leftOut: 0 }
  const failedFirst = [...items].sort((a, b) => Number(b.status >= 400) - Number(a.status >= 400))
  const lists = {
    errors: fitting(errors, room),
    items: fitting(failedFirst, room),
    warnings: fitting(warnings, room),
  }
  const kept = Object.entries(lists).filter(([, entries]) => entries.length > 0)
  const whole = {
    ...rest,
    ...Object.fromEntries(kept),
    ...(room.leftOut === 0 ? {} : { left_out: room.leftOut }),
  }
  return Object.keys(whole).length === 0 ? null : JSON.stringify(whole)
}

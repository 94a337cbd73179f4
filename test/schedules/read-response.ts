/** Reads what a response of the API says, as far as schedules judge it. */
import type { Change, Operation, Response, Shown } from './history.ts'

type Removed = { deleted_at: string }
type Item = { status: number; data?: Shown | Removed }
type Body = {
  data?: Shown | Removed | (Shown & Change)[]
  results?: Item[]
  next_cursor?: string
  has_more?: boolean
  error?: { code: string; limits?: string[] }
}

type Said = Pick<Response, 'shown' | 'times' | 'page' | 'items' | 'error'>

export function readResponse(kind: Operation['kind'], text: string): Said {
  const {
    data,
    results = [],
    next_cursor: nextCursor,
    has_more,
    error,
  }: Body = text === '' ? {} : JSON.parse(text)
  const changes = kind === 'feed' && Array.isArray(data) ? data : []
  const all = kind === 'feed' ? changes.flatMap(({ property }) => property ?? []) : [data ?? []].flat()
  const parts: (Shown | Removed)[] = [...all, ...results.flatMap((item) => item.data ?? [])]
  return {
    shown: parts.filter((part) => 'updated_at' in part),
    times: parts.map((part) => ('updated_at' in part ? part.updated_at : part.deleted_at)),
    page: nextCursor === undefined ? null : { changes, nextCursor, hasMore: has_more === true },
    items: results.map(({ status }) => status),
    error: error === undefined ? null : { code: error.code, limits: error.limits ?? [] },
  }
}

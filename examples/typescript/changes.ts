/**
 * Reads the feed of changes (docs/api.md 14.5): all listings from the beginning, or only the changes after a
 * cursor.
 */
import { ApiError, call } from './api.ts'

/** A change of a listing. `removed` may name one that you never had. */
type Change<Listing> = { id: string; changed_at: string } & (
  | { type: 'upserted'; reason: null; property: Listing }
  | { type: 'removed'; reason: 'deleted' | 'unpublished'; property: null }
)
type News<Listing> = {
  changes: Change<Listing>[]
  /** Where to continue. Store it in the same transaction as the changes. */
  cursor: string
  /** Whether these are all listings: drop all others from your copy. */
  isComplete: boolean
}
type Page<Listing> = { data: Change<Listing>[]; next_cursor: string; has_more: boolean }

/** @param from the stored cursor, or `null` for the beginning. A cursor that is no longer valid starts over too */
export async function readChanges<Listing>(
  from: string | null,
  fields: string,
  options: { attempts?: number; timeoutSeconds?: number } = {},
): Promise<News<Listing>> {
  const changes: Change<Listing>[] = []
  for (let cursor = from; ;) {
    const query = new URLSearchParams({ limit: '100', fields, ...(cursor === null ? {} : { cursor }) })
    try {
      const { body } = await call<Page<Listing>>('GET', `/api/v1/changes?${query}`, options)
      changes.push(...body.data)
      cursor = body.next_cursor
      if (!body.has_more) return { changes, cursor, isComplete: from === null }
    } catch (error) {
      // The service was restored from a backup, or the key is of another kind or agency.
      if (from === null || !(error instanceof ApiError) || error.error.parameter !== 'cursor') throw error
      return readChanges(null, fields, options)
    }
  }
}

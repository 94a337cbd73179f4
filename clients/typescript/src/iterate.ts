/**
 * Lists and the feed of changes as async iterators.
 */
import type { Page } from './replies.ts'
import type { ResponseInfo } from './send.ts'
import type { Change, ChangesPage } from './types.ts'

/** Where a list ends: page 200 with 50 each. */
const listEnd = 10_000

export async function* listAll<P extends { id: string }>(
  readPage: (page: number) => Promise<Page<P>>,
): AsyncGenerator<P> {
  const seen = new Set<string>()
  for (let number = 1; ; number += 1) {
    const { data, meta, links } = await readPage(number)
    for (const property of data) {
      // A new listing pushes others to the next page, where they appear again.
      if (seen.has(property.id)) continue
      seen.add(property.id)
      yield property
    }
    if (links.next !== null) continue
    if (meta.total > meta.page * meta.per_page)
      throw new RangeError(
        `the list has ${meta.total} listings, and ends at ${Math.min(listEnd, meta.page * meta.per_page)}: use changes() or narrower filters`,
      )
    return
  }
}

export type ChangesFeed<P> = AsyncIterable<Change<P>> & {
  /**
   * Where to resume: the loop's body has handled everything before it. Null before the first page of a feed from the beginning. Store it
   * together with the changes that you applied; it never expires.
   */
  readonly cursor: string | null
  /** The same, page by page: apply `data` and store `next_cursor` in one transaction. */
  pages(): AsyncGenerator<ChangesPage<P> & { response: ResponseInfo }>
}

export function changesFeed<P>(
  from: string | undefined,
  readPage: (cursor: string | undefined) => Promise<ChangesPage<P> & { response: ResponseInfo }>,
): ChangesFeed<P> {
  let cursor = from ?? null
  return {
    get cursor() {
      return cursor
    },
    async *pages() {
      for (;;) {
        const page = await readPage(cursor ?? undefined)
        yield page
        cursor = page.next_cursor
        if (!page.has_more) return
      }
    },
    async *[Symbol.asyncIterator]() {
      for await (const page of this.pages()) yield* page.data
    },
  }
}

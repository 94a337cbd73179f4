/** Reads the feed of changes as a client does: page by page, from a cursor on. */
import assert from 'node:assert/strict'
import { apiPrefix } from '../../../src/http/routes.ts'
import type { ApiResponse, TestApp } from '../../support/app/app.ts'
import { draft, published, type Shown } from '../../support/app/listings.ts'

export type Change = {
  id: string
  external_id: string | null
  type: 'upserted' | 'removed'
  reason: 'deleted' | 'unpublished' | null
  changed_at: string
  property: Shown | null
}

type FeedPage = {
  data: Change[]
  next_cursor: string
  has_more: boolean
  links: { self: string; next: string | null; prev: null }
}

type Feed = { changes: Change[]; cursor: string }

/** Fetches a page, and checks everything that holds for all pages. */
export function pageOf(response: ApiResponse): FeedPage {
  assert.equal(response.status, 200, response.text)
  const page = response.body as unknown as FeedPage
  assert.equal(response.headers.get('etag'), null)
  assert.match(page.next_cursor, /^[\w-]+$/)
  assert.equal(page.links.prev, null)
  assert.equal(page.links.next !== null, page.has_more)
  for (const { id, type, reason, property } of page.data) {
    assert.equal(reason === null, type === 'upserted')
    assert.equal(property?.id, type === 'upserted' ? id : undefined)
  }
  return page
}

/**
 * Reads to the end of the feed.
 * @param query further parameters: `&limit=2`
 * @param onPage is called after each page, before the next one is requested
 */
export async function readFeed(
  ask: TestApp['ask'],
  key: string,
  cursor: string | null,
  query = '',
  onPage: (page: FeedPage) => Promise<void> | void = () => {},
): Promise<Feed> {
  const changes: Change[] = []
  let path = `/changes?${cursor === null ? '' : `cursor=${cursor}`}${query}`
  for (;;) {
    const page = pageOf(await ask('GET', path, { key }))
    changes.push(...page.data)
    await onPage(page)
    if (page.links.next === null) return { changes, cursor: page.next_cursor }
    const { pathname, search, searchParams } = new URL(page.links.next)
    assert.equal(searchParams.get('cursor'), page.next_cursor)
    path = pathname.slice(apiPrefix.length) + search
  }
}

/** Ids, types and reasons. */
export const summaryOf = ({ changes }: Pick<Feed, 'changes'>) =>
  changes.map(({ id, type, reason }) => [id, type, reason])

/** A separate agency, with helpers to write to it and to read its feed. */
export async function feedAgency(t: TestApp) {
  const own = await t.newAgency()
  const ask: TestApp['ask'] = (method, path, sent = {}) => t.ask(method, path, { key: own.writeKey, ...sent })
  const make = { draft, published }
  /** Sends a write that must succeed. */
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await ask(method, path, { body })
    assert.ok(response.status < 300, response.text)
    if (path !== '/properties/batch') return
    const { meta } = response.body as unknown as { meta: { failed: number } }
    assert.equal(meta.failed, 0, response.text)
  }
  return {
    ...own,
    ask,
    send,
    create: (kind: keyof typeof make, body: Record<string, unknown> = {}) => make[kind]({ ...t, ask }, body),
    read: (key: string, cursor: string | null = null, query = '') => readFeed(ask, key, cursor, query),
  }
}

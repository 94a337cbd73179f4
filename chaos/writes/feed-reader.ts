/**
 * `node chaos/writes/feed-reader.ts URL FILE on|once`: keeps a copy of an agency's listings in a file, along with the cursor, by the steps
 * of api.md 14.5. It may be killed at any time, because the file is replaced atomically. The key is in FEED_KEY.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

export type StoredCopy = {
  cursor: string | null
  listings: Record<string, { status: string; title: string }>
  /** The time of the last change in the feed; each is later than all before. */
  latest: string
  pages: number
  removals: number
}

type Page = {
  data: { id: string; changed_at: string; property: { status: string; title: string } | null }[]
  next_cursor: string
  has_more: boolean
}

const [url = '', file = '', mode = ''] = process.argv.slice(2)
const headers = { 'x-api-key': process.env['FEED_KEY'] ?? '', 'user-agent': 'Chaos/1.0 (chaos@example.com)' }
const copy: StoredCopy = existsSync(file)
  ? (JSON.parse(readFileSync(file, 'utf8')) as StoredCopy)
  : { cursor: null, listings: {}, latest: '', pages: 0, removals: 0 }

for (;;) {
  const cursor = copy.cursor === null ? '' : `&cursor=${copy.cursor}`
  const response = await fetch(`${url}/api/v1/changes?limit=20&fields=status,title${cursor}`, { headers })
  assert.equal(response.status, 200)
  const { data, next_cursor, has_more } = (await response.json()) as Page
  for (const { id, changed_at, property } of data) {
    assert.ok(changed_at > copy.latest, `${changed_at} comes after ${copy.latest}`)
    copy.latest = changed_at
    if (property === null) delete copy.listings[id]
    else copy.listings[id] = { status: property.status, title: property.title }
    if (property === null) copy.removals += 1
  }
  copy.cursor = next_cursor
  copy.pages += 1
  writeFileSync(`${file}.new`, JSON.stringify(copy))
  renameSync(`${file}.new`, file)
  if (has_more) continue
  if (mode === 'once') break
  await delay(20)
}

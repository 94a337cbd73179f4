/**
 * A feed for a portal: a file with every published listing on a line of its own (NDJSON), kept current
 * through GET /changes.
 *
 *   node portal-feed.ts feed.ndjson [--start-over]
 *
 * Run it every few minutes, with a read-only key. The first line of the file holds the cursor, so file and
 * cursor change together. Listings that were taken down stay in the file as `removed` for 30 days. Changes
 * to the agency's profile are not in the feed of changes: run it with --start-over from time to time.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { readChanges } from './changes.ts'

type Property = { status: string } & Record<string, unknown>
type Line = { id: string; listing: Property } | { id: string; removed: string; at: string }

const fields =
  'external_id,status,url,title,description,operation,type,price,expenses,address,location,features,amenities,photos,reserved,agency'
const keepRemovedMs = 30 * 24 * 3600 * 1000

const [path = 'feed.ndjson', wish] = process.argv.slice(2)
const [head, ...lines] = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : []
const feed = new Map<string, Line>(lines.map((line) => JSON.parse(line)).map((line: Line) => [line.id, line]))

const from: string | null = head === undefined || wish === '--start-over' ? null : JSON.parse(head).cursor
const { changes, cursor, isComplete } = await readChanges<Property>(from, fields)
for (const { id, reason, changed_at: at, property } of changes) {
  const before = feed.get(id)
  // A key that can write also sees drafts.
  if (property?.status === 'published') feed.set(id, { id, listing: property })
  else if (before !== undefined && 'listing' in before)
    feed.set(id, { id, removed: reason ?? 'unpublished', at })
}
const seen = new Set(changes.map(({ id }) => id))
const now = new Date().toISOString()
const oldest = new Date(Date.now() - keepRemovedMs).toISOString()
for (const [id, line] of feed) {
  if (isComplete && 'listing' in line && !seen.has(id)) feed.set(id, { id, removed: 'deleted', at: now })
  if ('removed' in line && line.at < oldest) feed.delete(id)
}

const count = [...feed.values()].filter((line) => 'listing' in line).length
console.log(`${count} listings, ${changes.length} changes`)
if (head === undefined || changes.length > 0) {
  const written = [{ cursor, written_at: now }, ...feed.values()]
  // Readers see the old file or the new one, never half of it.
  writeFileSync(`${path}.new`, written.map((line) => `${JSON.stringify(line)}\n`).join(''), { flush: true })
  renameSync(`${path}.new`, path)
}

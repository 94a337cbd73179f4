/**
 * Nightly sync: makes an agency's listings match the CSV from its own system.
 *
 *   node nightly-sync.ts ../listings.csv [--disable-gone | --delete-gone]
 *
 * Sent rows are recorded next to the CSV, in listings.csv.state.json: only rows that changed cost
 * writes, and an interrupted run resumes where it stopped. Listings whose row is gone are reported, and
 * disabled or deleted only on request. A listing that somebody else disabled is not published again.
 *
 * With SVC_DRY_RUN=1 nothing changes: each row is checked by a dry run, without the photos and state of a
 * listing that exists.
 */
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { ApiError, call } from './api.ts'
import { type Payload, payloadOf, readRows } from './listings.ts'

type Written = {
  data: { id: string; status: string }
  photos?: { url: string; error: string | null }[]
  warnings: { code: string; message: string }[]
}
type BatchAnswer = {
  results: { external_id: string; status: number; error?: { code: string; message: string } }[]
}
/**
 * `sent` has a hash of what was accepted, by external id; `off` the external ids that were not to be
 * published then. `salt` and `step` are for the Idempotency-Keys, see `write`.
 */
type State = { agency: string; salt: string; step: number; sent: Map<string, string>; off: Set<string> }

const [path = '../listings.csv', wish = ''] = process.argv.slice(2)
const isDryRun = process.env['SVC_DRY_RUN'] === '1'
const me = await call<{ data: { agency: { id: string } } }>('GET', '/api/v1/me')
const state = readState(me.body.data.agency.id)
const counts = { created: 0, updated: 0, unchanged: 0, postponed: 0, failed: 0, gone: 0 }
const rows = readRows(path)
const seen = new Set<string>()
let isFull = false

for (const row of rows) {
  const { codigo: externalId = '' } = row
  try {
    if (externalId === '' || seen.has(externalId)) throw new RangeError('codigo is empty, or was used above')
    seen.add(externalId)
    const payload = payloadOf(row)
    const hash = hashOf(payload)
    if (state.sent.get(externalId) === hash) {
      counts.unchanged += 1
      continue
    }
    if (isFull && !state.sent.has(externalId)) {
      counts.postponed += 1
      continue
    }
    const { verdict, notes, isComplete } = await send(externalId, payload)
    counts[verdict] += 1
    console.log([`${externalId} ${verdict}`, ...notes].join('\n  '))
    // A failed photo may work tomorrow: without its hash, the row is sent again.
    if (isComplete) state.sent.set(externalId, hash)
  } catch (error) {
    const limits = error instanceof ApiError ? (error.error.limits ?? []) : []
    const verdict = limits.length === 0 ? 'failed' : 'postponed'
    counts[verdict] += 1
    console.log(`${externalId} ${verdict}: ${(error as Error).message}`)
    if (wouldStopAll(error)) process.exit(1)
    // Rows that were sent before may still change; further new ones would only use up writes.
    if (limits.some((name) => name.startsWith('new_listings_'))) isFull = true
  }
  nextStep()
}
await remove([...state.sent.keys()].filter((id) => !seen.has(id)))
console.log(
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', '),
)
process.exitCode = counts.failed + counts.postponed === 0 ? 0 : 1

/** PUT creates the listing, or updates it. Photos and status of an existing one have operations of their own. */
async function send(externalId: string, payload: Payload) {
  const put = await write<Written>('PUT', `/external/${encodeURIComponent(externalId)}`, payload)
  const { data, warnings, photos = [] } = put.body
  const isNew = put.status === 201
  const isPublished = data.status === 'published'
  const shouldBe = payload.status === 'published'
  // Sold or withdrawn by a person, for example: the row has called it available all the time.
  const isOffElsewhere = data.status === 'disabled' && shouldBe && !state.off.has(externalId)
  if (!isNew && !isDryRun) {
    if (isPublished && !shouldBe) await write('POST', `/${data.id}/disable`)
    if (payload.photos.length > 0) {
      // Known photos are not downloaded again.
      const set = await write<Written>('PUT', `/${data.id}/photos`, { urls: payload.photos })
      photos.push(...(set.body.photos ?? []))
    }
    if (!isPublished && shouldBe && !isOffElsewhere) await write('POST', `/${data.id}/enable`)
  }
  if (shouldBe) state.off.delete(externalId)
  else state.off.add(externalId)
  const failed = photos.filter(({ error }) => error !== null)
  return {
    verdict: isNew ? ('created' as const) : ('updated' as const),
    notes: [
      ...(isOffElsewhere ? ['was disabled elsewhere, and stays so'] : []),
      ...failed.map(({ url, error }) => `${url}: ${error}`),
      ...warnings.filter(({ code }) => !/_(ignored|failed)$/.test(code)).map(({ message }) => message),
    ],
    isComplete: failed.length === 0,
  }
}

/** Handles listings whose row is gone. A file that lost many rows is more likely broken than right. */
async function remove(gone: string[]): Promise<void> {
  counts.gone = gone.length
  const action = { '--disable-gone': 'disable', '--delete-gone': 'delete' }[wish]
  const isTooMuch = seen.size === 0 || gone.length > Math.max(3, state.sent.size / 5)
  if (action === undefined || isTooMuch) {
    for (const id of gone) console.log(`${id} gone`)
    if (action !== undefined) {
      counts.failed += gone.length
      console.log('Too many are gone at once: nothing was removed. Check the file.')
    }
    return
  }
  while (gone.length > 0) {
    const items = gone.splice(0, 50).map((id) => ({ external_id: id, action }))
    const { body } = await write<BatchAnswer>('POST', '/batch', { items })
    for (const { external_id: id, status, error } of body.results) {
      if (action === 'disable' && status === 200) state.off.add(id)
      if (status === 200 || status === 404) state.sent.delete(id)
      else counts.failed += 1
      console.log(`${id} ${error === undefined ? `${action}d` : `not ${action}d: ${error.message}`}`)
    }
    nextStep()
  }
}

/**
 * The Idempotency-Key stays the same until the row has been answered, even in the run after a crash, so
 * that nothing is done twice. Then it changes: a price that goes up and back down is two changes, and must
 * not get the response of the first.
 */
function write<Body>(method: string, below: string, body?: unknown) {
  const hash = hashOf([method, below, body]).slice(0, 16)
  return call<Body>(method, `/api/v1/properties${below}${isDryRun ? '?dry_run=true' : ''}`, {
    body,
    idempotencyKey: `sync-${state.salt}-${state.step}-${hash}`,
  })
}

/** Whether every other row would fail too: no answer, a refused key, no writes left. */
function wouldStopAll(error: unknown): boolean {
  if (!(error instanceof ApiError)) return !(error instanceof RangeError)
  const { limits = [] } = error.error
  return (
    [401, 403].includes(error.status) ||
    error.status >= 500 ||
    limits.some((name) => name.startsWith('writes_'))
  )
}

/** Starts over for another agency, which has none of these listings. */
function readState(agency: string): State {
  try {
    const read = JSON.parse(readFileSync(`${path}.state.json`, 'utf8'))
    if (read.agency === agency) return { ...read, sent: new Map(read.sent), off: new Set(read.off) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  return { agency, salt: randomUUID().slice(0, 8), step: 0, sent: new Map(), off: new Set() }
}

function nextStep(): void {
  if (isDryRun) return
  state.step += 1
  const written = { ...state, sent: [...state.sent], off: [...state.off] }
  writeFileSync(`${path}.state.json.new`, JSON.stringify(written))
  renameSync(`${path}.state.json.new`, `${path}.state.json`)
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}

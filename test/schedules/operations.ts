/** Chooses what a client does next: each of the API's writes and reads, on few listings, so that clients collide. */
import { randomUUID } from 'node:crypto'
import { freshAddress, photoUrls, publishable } from '../support/app/app.ts'
import type { Operation, Response } from './history.ts'
import type { Random } from '../support/random.ts'

/** Learnt from responses, by all clients of a schedule. */
export type Known = {
  /** Public codes of listings. */
  ids: string[]
  /** The latest ETag seen, by path. */
  etags: Map<string, string>
  /** Where a reader of the feed continues, by client and kind of key. */
  cursors: Map<string, string>
  /** Writes that may be sent again. */
  keyed: Operation[]
  /** Numbers titles, so that each write has its own. */
  count: number
}

export const newKnown = (): Known => ({
  ids: [],
  etags: new Map(),
  cursors: new Map(),
  keyed: [],
  count: 0,
})

const externalIds = ['E-1', 'E-2', 'E-3']
const reasons = ['sold', 'suspended', 'other']

type Choose = (random: Random, known: Known, client: string) => Operation

const write = (operation: Omit<Operation, 'kind' | 'seesDrafts'>): Operation => ({
  kind: 'write',
  seesDrafts: true,
  ...operation,
})
const title = (known: Known): string => `Casa ${(known.count += 1)}`
const idOf = (random: Random, known: Known): string => random.pick(known.ids)
/** A key in most cases; without one, a retry may repeat the effect. */
const keyIn = (random: Random): { key?: string } => (random.oneIn(3) ? {} : { key: randomUUID() })

/** The body of a creation or an upsert. */
function content(random: Random, known: Known): Record<string, unknown> {
  const own = { title: title(known), address: freshAddress() }
  if (random.oneIn(2)) return random.oneIn(2) ? own : { ...own, photos: photoUrls(2) }
  return publishable(own)
}

const create: Choose = (random, known) =>
  write({
    method: 'POST',
    path: '/properties',
    key: randomUUID(),
    body: { ...content(random, known), ...(random.oneIn(3) && { external_id: random.pick(externalIds) }) },
  })

const patch: Choose = (random, known) => {
  const path = `/properties/${idOf(random, known)}`
  const etag = known.etags.get(path)
  const body = random.pick([
    { title: title(known) },
    { description: `Texto ${(known.count += 1)}` },
    { title: title(known), description: `Texto ${known.count}` },
  ])
  return write({
    method: 'PATCH',
    path,
    body,
    ...keyIn(random),
    ...(etag !== undefined && random.oneIn(2) && { ifMatch: etag }),
  })
}

const put: Choose = (random, known) =>
  write({
    method: 'PUT',
    path: `/properties/external/${random.pick(externalIds)}`,
    body: content(random, known),
    ...keyIn(random),
  })

const batch: Choose = (random, known) => {
  const items = externalIds.flatMap((external_id) => {
    if (random.oneIn(3)) return []
    if (random.oneIn(6)) return [{ external_id, action: random.pick(['delete', 'disable', 'enable']) }]
    return [{ external_id, ...content(random, known) }]
  })
  const sent = items.length > 0 ? items : [{ external_id: 'E-1', ...content(random, known) }]
  return write({ method: 'POST', path: '/properties/batch', key: randomUUID(), body: { items: sent } })
}

const act = (name: string, body: (random: Random) => object): Choose => {
  return (random, known) =>
    write({
      method: 'POST',
      path: `/properties/${idOf(random, known)}/${name}`,
      body: body(random),
      ...keyIn(random),
    })
}
const disable = act('disable', (random) => (random.oneIn(2) ? {} : { reason: random.pick(reasons) }))
const enable = act('enable', () => ({}))

const addPhotos: Choose = (random, known) =>
  write({
    method: 'POST',
    path: `/properties/${idOf(random, known)}/photos`,
    key: randomUUID(),
    body: { urls: photoUrls(1 + random.below(3)) },
  })

const remove: Choose = (random, known) =>
  write({ method: 'DELETE', path: `/properties/${idOf(random, known)}`, ...keyIn(random) })

const again: Choose = (random, known) => random.pick(known.keyed)

const read: Choose = (random, known) => {
  const seesDrafts = !random.oneIn(4)
  const path = `/properties/${idOf(random, known)}`
  const etag = known.etags.get(path)
  const isConditional = etag !== undefined && random.oneIn(2)
  return { kind: 'read', method: 'GET', path, seesDrafts, ...(isConditional && { ifNoneMatch: etag }) }
}

const list: Choose = (random, known) => {
  const seesDrafts = !random.oneIn(4)
  const path = seesDrafts ? '/properties?status=all&per_page=50' : '/properties?per_page=50'
  const etag = known.etags.get(path)
  const isConditional = etag !== undefined && random.oneIn(2)
  return { kind: 'list', method: 'GET', path, seesDrafts, ...(isConditional && { ifNoneMatch: etag }) }
}

const feed: Choose = (random, known, client) => {
  const seesDrafts = !random.oneIn(4)
  const cursor = known.cursors.get(readerOf(client, seesDrafts))
  const limit = 1 + random.below(4)
  const path = `/changes?limit=${limit}${cursor === undefined ? '' : `&cursor=${cursor}`}`
  return { kind: 'feed', method: 'GET', path, seesDrafts, limit }
}

const readerOf = (client: string, seesDrafts: boolean): string => `${client} ${seesDrafts}`

/** Without a listing, or a write to send again, most operations have no object. */
const first: readonly Choose[] = [create, create, put, batch, list, feed]
const all: readonly Choose[] = weighted([
  [2, create],
  [2, put],
  [2, batch],
  [4, patch],
  [2, disable],
  [2, enable],
  [1, addPhotos],
  [1, remove],
  [2, again],
  [4, read],
  [3, list],
  [3, feed],
])

/** Each as many times as its weight says. */
function weighted(weights: readonly (readonly [number, Choose])[]): Choose[] {
  return weights.flatMap(([weight, choose]) => Array.from({ length: weight }, () => choose))
}

export function chooseOperation(random: Random, known: Known, client: string): Operation {
  const choose = random.pick(known.ids.length === 0 || known.keyed.length === 0 ? first : all)
  const operation = choose(random, known, client)
  if (operation.key !== undefined && operation.method !== 'GET') known.keyed.push(operation)
  return operation
}

/** Notes the listings, ETags and cursors of a response, for later operations. */
export function learn(known: Known, client: string, operation: Operation, response: Response | null): void {
  if (response === null || response.status >= 300) return
  const { kind, path, seesDrafts } = operation
  const { shown, etag, page } = response
  if (kind === 'write') for (const { id } of shown) if (!known.ids.includes(id)) known.ids.push(id)
  const [one] = shown
  if (etag !== null && kind === 'list') known.etags.set(path, etag)
  else if (etag !== null && one !== undefined) known.etags.set(`/properties/${one.id}`, etag)
  if (page !== null) known.cursors.set(readerOf(client, seesDrafts), page.nextCursor)
}

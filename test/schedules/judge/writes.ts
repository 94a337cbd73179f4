/** Judges writes: what is acknowledged is in the history, what is refused is not, and no write undoes what another one changed. */
import type { History, Shown, Version } from '../history.ts'
import { type Responded, responded, describe, type Problem, type Timeline } from './timeline.ts'

export function judgeWrites({ calls }: History, timeline: Timeline): Problem[] {
  const all = responded(calls)
  const writes = all.filter(({ operation }) => operation.kind === 'write')
  const contents = new Map(
    all.flatMap(({ response }) => response.shown).map((shown) => [shown.updated_at, shown]),
  )
  return [
    ...writes.flatMap((call) => judgeEffect(call, timeline)),
    ...writes.flatMap((call) => judgeIfMatch(call, all, timeline)),
    ...judgeUpdates(writes, contents, timeline),
    ...judgeCreations(timeline),
    ...judgeKeys(writes),
    ...judgeRevisions(timeline),
  ]
}

/** Every acknowledged write is a version, and every refused one is none. */
function judgeEffect(call: Responded, timeline: Timeline): Problem[] {
  const { status, requestId, times } = call.response
  if (status >= 400 && status < 500 && timeline.madeBy(requestId).length > 0)
    return [{ rule: 'a refused write has no effect', text: describe(call) }]
  const isLost = times.some((at) => timeline.find(at) === null)
  return isLost ? [{ rule: 'no acknowledged write is lost', text: describe(call) }] : []
}

/** A write with If-Match follows the version that it names. */
function judgeIfMatch(call: Responded, all: readonly Responded[], timeline: Timeline): Problem[] {
  const { operation, response } = call
  if (operation.ifMatch === undefined || response.isReplay || response.status >= 300) return []
  const source = all.find(({ response: { etag, shown } }) => etag === operation.ifMatch && shown.length === 1)
  const named = source === undefined ? null : timeline.find(source.response.shown[0]?.updated_at)
  const made = timeline.madeBy(response.requestId)[0]
  // A write that changes nothing makes no version.
  const previous = made === undefined ? timeline.find(response.shown[0]?.updated_at) : timeline.before(made)
  if (named === null || named === previous) return []
  return [{ rule: 'If-Match is honoured', text: `${describe(call)} follows revision ${previous?.revision}` }]
}

type Sent = { title?: string; description?: string; urls?: string[] }

/** Writes of one existing listing. */
const isJudged = /^PATCH |\/(?:enable|disable|photos)$/

/** A write changes what it sends and nothing else. */
function judgeUpdates(
  writes: readonly Responded[],
  contents: ReadonlyMap<string, Shown>,
  timeline: Timeline,
): Problem[] {
  const written = new Map<Version, Responded>()
  for (const call of writes) {
    const [version] = timeline.madeBy(call.response.requestId)
    if (version !== undefined) written.set(version, call)
  }
  return [...written].flatMap(([version, call]) => {
    const before = contents.get(timeline.before(version)?.at ?? '')
    const after = contents.get(version.at)
    const { method, path, body } = call.operation
    if (before === undefined || after === undefined || !isJudged.test(`${method} ${path}`)) return []
    const sent = (method === 'PATCH' ? body : {}) as Sent
    const addsPhotos = path.endsWith('/photos')
    const isRight =
      after.title === (sent.title ?? before.title) &&
      after.description === (sent.description ?? before.description) &&
      before.photos.every((photo) => after.photos.includes(photo)) &&
      (addsPhotos || after.photos.length === before.photos.length)
    if (isRight) return []
    return [{ rule: 'no update is lost', text: `${describe(call)} follows ${JSON.stringify(before)}` }]
  })
}

/** Each creation sends a title of its own. */
function judgeCreations({ versions }: Timeline): Problem[] {
  const created = Map.groupBy(
    versions.filter(({ action }) => action === 'created'),
    ({ createdAs }) => createdAs,
  )
  return [...created]
    .filter(([, { length }]) => length > 1)
    .map(([title]) => ({
      rule: 'a write has one effect',
      text: `${String(title)} was created more than once`,
    }))
}

/** All successes of a key are one response, and all but one say that they are replays. */
function judgeKeys(writes: readonly Responded[]): Problem[] {
  const byKey = Map.groupBy(writes, ({ operation }) => operation.key)
  byKey.delete(undefined)
  return [...byKey.values()].flatMap((calls): Problem[] => {
    const successes = calls.filter(({ response }) => response.status < 300)
    const [one, ...others] = successes
    if (one === undefined) return []
    const originals = successes.filter(({ response }) => !response.isReplay)
    if (originals.length > 1)
      return [{ rule: 'a write has one effect', text: originals.map(describe).join('\n  ') }]
    const different = others.find(({ response }) => response.text !== one.response.text)
    const refused = calls.find(
      ({ began, response }) => began > one.ended && response.status >= 400 && response.status < 429,
    )
    const odd = different ?? refused
    if (odd === undefined) return []
    return [{ rule: 'a replay is the same response', text: `${describe(one)}\n  ${describe(odd)}` }]
  })
}

function judgeRevisions({ versions }: Timeline): Problem[] {
  const counts = Map.groupBy(versions, ({ revision }) => revision)
  return [...counts]
    .filter(([, { length }]) => length > 1)
    .map(([revision]) => ({ rule: 'a revision is used once', text: `revision ${revision}` }))
}

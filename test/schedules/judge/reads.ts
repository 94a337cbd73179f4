/**
 * Judges reads: each shows the agency's state at one revision, and none shows a revision older than what any client had seen before the
 * read began. A 304 stands for the response with its ETag. A feed has all changes after its cursor, in order.
 */
import type { History, Response, Version } from '../history.ts'
import {
  type Responded,
  responded,
  describe,
  isVisible,
  type Problem,
  type Rule,
  type Timeline,
} from './timeline.ts'

export function judgeReads({ calls }: History, timeline: Timeline): Problem[] {
  const problems: Problem[] = []
  /** The newest revision that any client had seen, by tick. */
  const seen: { tick: number; revision: number }[] = [{ tick: 0, revision: 0 }]
  /** The revision up to which a cursor has read. */
  const cursors = new Map<string, number>()
  /** By ETag. */
  const originals = new Map<string, Response>()

  for (const call of responded(calls).sort((one, other) => one.ended - other.ended)) {
    const { operation, response, began, ended } = call
    const known = seen.findLast(({ tick }) => tick < began)?.revision ?? 0
    let observed = known
    if (response.status < 300 && response.etag !== null) originals.set(response.etag, response)
    if (operation.kind === 'write') observed = newestIn(call, timeline)
    else if (response.status < 300 || response.status === 304 || response.status === 404) {
      const shown = response.status === 304 ? originals.get(response.etag ?? '') : response
      const shows = (revision: number): boolean =>
        shown !== undefined && showsState({ ...call, response: shown }, timeline, cursors, revision)
      const revision = first(known, timeline.last, shows)
      if (revision === null) {
        const isOld = first(0, known - 1, shows) !== null
        problems.push({
          rule: ruleOf(call, isOld),
          text: `${describe(call)}; revision ${known} had been seen`,
        })
      } else {
        observed = revision
        noteCursor(call, cursors, timeline, revision)
      }
    }
    const newest = seen.at(-1)?.revision ?? 0
    if (observed > newest) seen.push({ tick: ended, revision: observed })
  }
  return [...problems, ...judgeContents(responded(calls))]
}

function ruleOf({ operation, response }: Responded, isOld: boolean): Rule {
  if (response.status === 304) return 'a 304 is true'
  if (isOld) return 'no read is stale'
  return operation.kind === 'feed' ? 'the feed is complete and in order' : 'a read shows one revision'
}

function first(from: number, to: number, holds: (revision: number) => boolean): number | null {
  for (let revision = from; revision <= to; revision += 1) if (holds(revision)) return revision
  return null
}

/** The newest revision that the response of a write proves. */
function newestIn({ response: { times } }: Responded, timeline: Timeline): number {
  return Math.max(0, ...times.map((at) => timeline.find(at)?.revision ?? 0))
}

function showsState(
  call: Responded,
  timeline: Timeline,
  cursors: ReadonlyMap<string, number>,
  revision: number,
): boolean {
  const { operation, response } = call
  const state = timeline.stateAt(revision)
  if (operation.kind === 'feed') return showsChanges(call, state, timeline, cursors, revision)
  if (operation.kind === 'list') {
    const visible = [...state.values()].filter((version) => isVisible(version, operation))
    const shown = new Set(response.shown.map(({ id, updated_at }) => `${id} ${updated_at}`))
    return shown.size === visible.length && visible.every(({ listing, at }) => shown.has(`${listing} ${at}`))
  }
  const version = state.get(operation.path.split('/').at(-1) ?? '')
  if (response.status === 404) return !isVisible(version, operation)
  return isVisible(version, operation) && version.at === response.shown[0]?.updated_at
}

/** The page of changes that the feed should show at a revision. */
function showsChanges(
  { operation, response }: Responded,
  state: ReadonlyMap<string, Version>,
  timeline: Timeline,
  cursors: ReadonlyMap<string, number>,
  revision: number,
): boolean {
  const { limit = 100, seesDrafts } = operation
  const after = positionOf(operation.path, cursors)
  if (after > revision) return false
  const wasPublished = ({ listing }: Version): boolean =>
    timeline.versions.some(
      (one) => one.listing === listing && one.revision <= revision && one.status === 'published',
    )
  const all = [...state.values()]
    .filter((version) => version.revision > after && (seesDrafts || wasPublished(version)))
    .sort((one, other) => one.revision - other.revision)
  const expected = all.slice(0, limit).map((version) => {
    return `${version.listing} ${version.at} ${isVisible(version, operation) ? 'upserted' : 'removed'}`
  })
  const { changes = [], hasMore } = response.page ?? {}
  const sent = changes.map(({ id, changed_at, type }) => `${id} ${changed_at} ${type}`)
  return sent.join('\n') === expected.join('\n') && hasMore === all.length > limit
}

function positionOf(path: string, cursors: ReadonlyMap<string, number>): number {
  const cursor = new URL(path, 'http://listings.test').searchParams.get('cursor')
  return cursor === null ? 0 : (cursors.get(cursor) ?? 0)
}

function noteCursor(
  { response }: Responded,
  cursors: Map<string, number>,
  timeline: Timeline,
  revision: number,
): void {
  if (response.page === null) return
  const { nextCursor, hasMore, changes } = response.page
  const last = timeline.find(changes.at(-1)?.changed_at)?.revision ?? 0
  // Several pages may return the same cursor, the later ones because its reader can see nothing that changed in between.
  cursors.set(nextCursor, Math.max(cursors.get(nextCursor) ?? 0, hasMore ? last : revision))
}

/** All responses that show one version show the same. */
function judgeContents(calls: readonly Responded[]): Problem[] {
  const contents = new Map<string, string>()
  return calls.flatMap((call) =>
    call.response.shown.flatMap((shown) => {
      const name = `${shown.id} ${shown.updated_at}`
      const text = JSON.stringify(shown)
      const known = contents.get(name) ?? text
      contents.set(name, known)
      return known === text
        ? []
        : [{ rule: 'a version has one content', text: `${describe(call)}, not ${known}` }]
    }),
  )
}

/**
 * A listing's history as people read it: the changes of one sitting, such as a draft that was saved during typing, are one entry. The
 * history itself has each change.
 */
import type { Executor } from '../../../../../platform/db/statements/statement.ts'
import { isNotified } from '../../../../../listings/history/events.ts'
import {
  type Action,
  afterAll,
  type Changes,
  findHistoryPart,
  type HistoryWindow,
  isNothing,
  type NumberedEntry,
} from '../../../../../listings/history/history.ts'

/** Longer than a telephone call or a coffee: after that, a person returns to the listing instead of continuing. */
const pauseMs = 30 * 60_000
/** Entries read by one statement, and the most on a page. The rest of a sitting is on the next page. */
const readAtOnce = 50
const maxRead = 200

/** Changes of the listing itself; changes of its state are entries of their own. */
const ofContents: ReadonlySet<Action> = new Set(['created', 'updated', 'photos_added'])

/** The entries of a sitting, latest first; or one entry. */
export type Sitting = readonly [NumberedEntry, ...NumberedEntry[]]

/**
 * The sittings next to a revision.
 * @param window with `limit`, their number; with `isEach`, every entry is a sitting
 * @returns latest first, and whether there are more in that direction
 */
export async function findSittings(
  db: Executor,
  agencyId: string,
  listingId: string,
  { limit, isEach, ...from }: HistoryWindow & { isEach: boolean },
) {
  const isBack = 'after' in from
  const entries: NumberedEntry[] = []
  let next: { before: number } | { after: number } = from
  for (let isEnd = false; !isEnd && entries.length <= maxRead;) {
    const part = await findHistoryPart(db, agencyId, listingId, { ...next, limit: readAtOnce })
    if (isBack) entries.unshift(...part)
    else entries.push(...part)
    isEnd = part.length < readAtOnce
    // With one more than shown, the last shown one is complete.
    if (sittingsOf(entries, isEach).length > limit) break
    if (isBack) next = { after: entries[0]?.revision ?? afterAll }
    else next = { before: entries.at(-1)?.revision ?? 0 }
  }
  const isCut = entries.length > maxRead
  if (isCut) entries.splice(isBack ? 0 : maxRead, entries.length - maxRead)
  const found = sittingsOf(entries, isEach)
  return {
    sittings: isBack ? found.slice(-limit) : found.slice(0, limit),
    hasMore: isCut || found.length > limit,
  }
}

function sittingsOf(entries: readonly NumberedEntry[], isEach: boolean): Sitting[] {
  const sittings: [NumberedEntry, ...NumberedEntry[]][] = []
  for (const entry of entries) {
    const sitting = sittings.at(-1)
    const later = sitting?.at(-1)
    if (sitting !== undefined && later !== undefined && !isEach && isSameSitting(entry, later))
      sitting.push(entry)
    else sittings.push([entry])
  }
  return sittings
}

/** Only people have sittings: a developer looks for each request of a key. */
function isSameSitting({ entry: before }: NumberedEntry, { entry: after }: NumberedEntry): boolean {
  return (
    (after.actor.kind === 'person' || after.actor.kind === 'operator') &&
    after.actor.id !== null &&
    after.actor.kind === before.actor.kind &&
    after.actor.id === before.actor.id &&
    [before, after].every((entry) => ofContents.has(entry.action) && !isNotified(entry)) &&
    after.action !== 'created' &&
    Date.parse(after.at) - Date.parse(before.at) <= pauseMs
  )
}

export function actionOf(sitting: Sitting): Action {
  const actions = new Set(sitting.map(({ entry }) => entry.action))
  if (actions.has('created')) return 'created'
  return actions.size === 1 ? sitting[0].entry.action : 'updated'
}

/** The changes from before the first entry to after the last, without values that were changed back. */
export function changesOf(sitting: Sitting): Changes {
  const changes: Changes = {}
  for (const { entry } of sitting.toReversed())
    for (const [name, { from, to }] of Object.entries(entry.changes))
      changes[name] = { from: Object.hasOwn(changes, name) ? changes[name]?.from : from, to }
  if (sitting.length === 1) return changes
  return Object.fromEntries(
    Object.entries(changes).filter(
      ([, { from, to }]) =>
        JSON.stringify(from) !== JSON.stringify(to) && !(isNothing(from) && isNothing(to)),
    ),
  )
}

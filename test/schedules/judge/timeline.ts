/** The states that an agency went through, one for each revision. */
import type { Call, Operation, Response, Version } from '../history.ts'

export const rules = [
  'no acknowledged write is lost',
  'a refused write has no effect',
  'a write has one effect',
  'a replay is the same response',
  'If-Match is honoured',
  'no update is lost',
  'a revision is used once',
  'a read shows one revision',
  'no read is stale',
  'a 304 is true',
  'a version has one content',
  'the feed is complete and in order',
  'no limit is exceeded',
  'no limit is charged too much',
  'every event is sent',
  'an event is sent once',
  'events are sent in order',
  'exactly the pictures of listings are stored',
] as const
export type Rule = (typeof rules)[number]

/** A broken promise. */
export type Problem = { rule: Rule; text: string }

export type Timeline = {
  versions: readonly Version[]
  /** The last revision. */
  last: number
  /** The latest version of each listing at a revision. */
  stateAt(revision: number): ReadonlyMap<string, Version>
  /** The version of a time: no two versions share one. */
  find(at: string | undefined): Version | null
  /** The version of the same listing before this one. */
  before(version: Version): Version | null
  /** The versions that a request made. */
  madeBy(requestId: string): readonly Version[]
}

export function timelineOf(versions: readonly Version[]): Timeline {
  const last = versions.at(-1)?.revision ?? 0
  const states: ReadonlyMap<string, Version>[] = [new Map()]
  const byTime = new Map(versions.map((version) => [version.at, version]))
  const byRequest = Map.groupBy(versions, ({ requestId }) => requestId)
  for (const version of versions) {
    const known = states.at(-1) ?? new Map<string, Version>()
    // Revisions that changed no listing.
    while (states.length < version.revision) states.push(known)
    states.push(new Map(known).set(version.listing, version))
  }
  const stateAt: Timeline['stateAt'] = (revision) => states[revision] ?? states.at(-1) ?? new Map()
  return {
    versions,
    last,
    stateAt,
    find: (at) => (at === undefined ? null : (byTime.get(at) ?? null)),
    before: ({ listing, revision }) => stateAt(revision - 1).get(listing) ?? null,
    madeBy: (requestId) => byRequest.get(requestId) ?? [],
  }
}

export function isVisible(version: Version | undefined, { seesDrafts }: Operation): version is Version {
  if (version === undefined || version.isRemoved) return false
  return seesDrafts || version.status === 'published'
}

export type Responded = Call & { response: Response }

export function responded(calls: readonly Call[]): Responded[] {
  return calls.filter((call): call is Responded => call.response !== null)
}

export function describe({ client, operation, response, began, ended }: Call): string {
  const { method, path, body, seesDrafts } = operation
  const sent = body === undefined ? '' : ` ${JSON.stringify(body).slice(0, 120)}`
  const outcome = response === null ? 'no response' : `${response.status} ${response.text.slice(0, 200)}`
  return `${client} ${method} ${path}${seesDrafts ? '' : ' (read-only key)'}${sent} [${began}-${ended}] → ${outcome}`
}

/** Judges what writes cause elsewhere: limits, notifications and stored pictures. */
import type { History, Version } from '../history.ts'
import { responded, type Problem, type Timeline } from './timeline.ts'

export function judgeEffects(history: History, timeline: Timeline): Problem[] {
  return [...judgeLimits(history, timeline), ...judgeEvents(history, timeline), ...judgeFiles(history)]
}

function judgeLimits({ calls, downloads, limits }: History, { versions }: Timeline): Problem[] {
  const problems: Problem[] = []
  const atMost = (name: string, used: number, whose: string): void => {
    const max = limits[name] ?? Infinity
    if (used > max)
      problems.push({ rule: 'no limit is exceeded', text: `${name} of ${whose}: ${used} of ${max}` })
  }
  const created = versions.filter(({ action }) => action === 'created').length
  atMost('new_listings_per_day', created, 'the agency')
  atMost('photos_per_day', downloads, 'the agency')
  for (const [listing, own] of Map.groupBy(versions, (version) => version.listing)) {
    const count = (...actions: Version['action'][]) =>
      own.filter(({ action }) => actions.includes(action)).length
    atMost('disables_per_day', count('disabled'), listing)
    atMost('enables_per_day', count('published'), listing)
    atMost('state_changes_per_day', count('disabled', 'published', 'deleted'), listing)
  }
  const charged = responded(calls).filter(
    ({ operation, response }) =>
      operation.kind === 'write' && response.status !== 429 && response.status < 500,
  )
  for (const [client, own] of Map.groupBy(charged, (call) => call.client)) {
    if (client === 'operator') continue
    const costs = own.map(({ response: { isReplay, items } }) =>
      isReplay || items.length === 0 ? 1 : items.filter((status) => status !== 429).length,
    )
    atMost(
      'writes_per_day',
      costs.reduce((sum, cost) => sum + cost, 0),
      client,
    )
  }
  for (const { response } of responded(calls)) {
    if (
      response.error?.limits.includes('new_listings_per_day') === true &&
      created < (limits['new_listings_per_day'] ?? 0)
    )
      problems.push({ rule: 'no limit is charged too much', text: response.text })
  }
  return problems
}

function typeOf({ action, status }: Version): string | null {
  if (action === 'created') return status === 'published' ? 'published' : null
  return ['published', 'disabled', 'deleted', 'restored'].find((type) => type === action) ?? null
}

/** Each change of a state arrives once, because no worker is cut off, and those of one listing in order. */
function judgeEvents({ events }: History, { versions }: Timeline): Problem[] {
  return [...Map.groupBy(versions, ({ listing }) => listing)].flatMap(([listing, own]): Problem[] => {
    const expected = own.flatMap((version) => {
      const type = typeOf(version)
      return type === null ? [] : [`${version.at} ${type}`]
    })
    const arrived = events.filter((event) => event.listing === listing).map(({ at, type }) => `${at} ${type}`)
    if (arrived.join() === expected.join()) return []
    const text = `${listing}: ${arrived.join(', ')}; expected ${expected.join(', ')}`
    if (arrived.length > new Set(arrived).size) return [{ rule: 'an event is sent once', text }]
    const isComplete = expected.every((one) => arrived.includes(one))
    return [{ rule: isComplete ? 'events are sent in order' : 'every event is sent', text }]
  })
}

function judgeFiles({ strayFiles }: History): Problem[] {
  return strayFiles.map((text) => ({ rule: 'exactly the pictures of listings are stored', text }))
}

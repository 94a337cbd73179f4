/** Limits how often the log repeats itself during an outage: the first event is logged at once, later ones as a number per minute. */

const everyMs = 60_000
/** All further kinds are counted together. */
const maxKinds = 50

/**
 * @param write logs an event; `count` is how many there were since the last line, of which this is the latest
 * @returns a function that takes an event and its kind, and returns whether it was logged at once
 */
export function countedLog<Event>(write: (event: Event, count: number) => void) {
  const counted = new Map<string, { latest: Event; count: number }>()
  return (kind: string, event: Event): boolean => {
    const name = counted.has(kind) || counted.size < maxKinds ? kind : 'others'
    const known = counted.get(name)
    if (known !== undefined) {
      known.latest = event
      known.count += 1
      return false
    }
    write(event, 1)
    const since = { latest: event, count: 0 }
    counted.set(name, since)
    const timer = setInterval(() => {
      if (since.count > 0) write(since.latest, since.count)
      else {
        clearInterval(timer)
        counted.delete(name)
      }
      since.count = 0
    }, everyMs).unref()
    return true
  }
}

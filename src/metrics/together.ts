/**
 * Adds up the metrics of several processes. Counts of a process that has ended stay in the sum: a sum that falls would look like a
 * restart.
 */
import { AggregatorRegistry, type Registry } from 'prom-client'

/** Of one process, from its registry. */
export type ProcessFigures = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

export function addUp(processes: readonly ProcessFigures[]): Registry {
  return AggregatorRegistry.aggregate([...processes])
}

type Departed = {
  /** The last figures of a process that has ended. */
  add(figures: ProcessFigures): void
  read(): ProcessFigures
}

/** The sum over processes that have ended: counters and histograms, but no gauges. */
export function departed(): Departed {
  let sum: Promise<ProcessFigures> = Promise.resolve([])
  let known: ProcessFigures = []
  return {
    add(figures) {
      const lasting = figures.filter(({ type }) => isLasting(String(type)))
      sum = sum.then(async (before) => {
        known = await addUp([before, lasting]).getMetricsAsJSON()
        return known
      })
    },
    read: () => known,
  }
}

function isLasting(type: string): boolean {
  return type === 'counter' || type === 'histogram'
}

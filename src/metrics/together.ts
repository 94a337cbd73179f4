/**
 * The figures of several processes as one. What a process that has ended counted stays counted: a sum that falls would look like a
 * start from nothing.
 */
import { AggregatorRegistry, type Registry } from 'prom-client'

/** Of one process, as its registry gives them. */
export type ProcessFigures = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** Adds up what processes have counted. */
export function addUp(processes: readonly ProcessFigures[]): Registry {
  // The library's type knows the names of metrics alone.
  return AggregatorRegistry.aggregate(processes as unknown as object[])
}

type Departed = {
  /** The last figures of a process that has ended. */
  add(figures: ProcessFigures): void
  read(): ProcessFigures
}

/** What processes that have ended counted: all of it but what only holds while one lives. */
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

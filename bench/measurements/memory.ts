/** Whether the service's memory stays stable: many requests of every kind, with memory readings in between. */
import type { BenchAgency } from '../data/load-data.ts'
import { residentOf } from '../processes/machine.ts'
import { measureOnce, type Setting } from './measure.ts'
import { batchScenarios } from '../scenarios/batches.ts'
import { floorScenarios } from '../scenarios/floor-scenarios.ts'
import type { Targets } from '../scenarios/scenario.ts'

/** Requests so far, and megabytes of memory and heap of the largest process, if it reports its heap. */
export type MemoryReading = { requests: number; residentMegabytes: number; heapMegabytes: number | null }

const pieceMs = 2_000
const readings = 40

/** Sends the given number of requests of all kinds in turn, and reads the memory at intervals. */
export async function watchMemory(
  setting: Setting,
  targets: Targets,
  agencies: readonly BenchAgency[],
  total: number,
  print: (line: string) => void,
): Promise<MemoryReading[]> {
  const small = agencies.slice(0, -1)
  const scenarios = [
    ...(await floorScenarios(targets, small)),
    ...batchScenarios(targets, small.slice(0, 20)),
  ]
  const variants = scenarios
    .flatMap((scenario) => scenario.variants)
    // ETags go stale with the first write.
    .filter(({ target, status }) => target === targets.service && status !== 304)
  const read = async (requests: number): Promise<MemoryReading> => {
    const { process: child } = targets.service.child
    const isAlone = targets.service.child.process.spawnargs.some((argument) =>
      argument.endsWith('service.ts'),
    )
    const response = isAlone ? await targets.service.child.ask<{ heapMegabytes: number }>({}) : null
    const reading = {
      requests,
      residentMegabytes: Math.max(...residentOf(child.pid ?? 0)),
      heapMegabytes: response?.heapMegabytes ?? null,
    }
    const heap = reading.heapMegabytes === null ? '' : `, heap ${reading.heapMegabytes.toFixed(0)} MB`
    print(`${requests} requests: ${reading.residentMegabytes.toFixed(0)} MB${heap}`)
    return reading
  }
  const found = [await read(0)]
  let sent = 0
  while (sent < total) {
    for (const variant of variants) sent += (await measureOnce(setting, variant, pieceMs)).requests
    if (sent >= (found.length * total) / readings || sent >= total) found.push(await read(sent))
  }
  return found
}

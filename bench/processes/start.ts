/** Starts the processes measured in a run, and those that generate load. */
import { floodLimits } from '../scenarios/floods.ts'
import { canPin, type Child, cores, pin, startChild } from './machine.ts'
import type { Setting, Target } from '../measurements/measure.ts'
import type { Targets } from '../scenarios/scenario.ts'
import { memoryOfStart, type Place, postmasterOf, startTarget } from './servers.ts'
import { openWal } from '../measurements/wal.ts'

type StartAllOptions = {
  workers: number
  /** The directory for CPU profiles of the service. */
  profile: string | undefined
  /** Whether the database shares the load's core, and only comparisons with the bare handler are needed. */
  beside: boolean
  connections: number
  rounds: number
  durationMs: number
}

/** @param children receives every process, to be stopped in the end */
export async function startAll(
  place: Place,
  children: Child[],
  { workers, profile, beside, ...measuring }: StartAllOptions,
): Promise<{ setting: Setting; targets: Targets }> {
  const { connection } = place
  const { postmaster, database } = await postmasterOf(connection)
  // Before anything connects, because database processes inherit it from the first.
  if (canPin && postmaster !== 0) pin(postmaster, beside ? cores.load : cores.all)
  const start = async (
    program: string,
    path: string,
    settings: Record<string, string> = {},
    execArgv: string[] = [],
  ): Promise<Target> => {
    const core = workers === 1 ? cores.server : null
    const target = await startTarget(place, program, { core, path, settings, execArgv })
    children.push(target.child)
    return target
  }
  const startLoad = async (): Promise<Child> => {
    const load = startChild('processes/load.ts', cores.load)
    children.push(load)
    await new Promise((ready) => load.process.once('message', ready))
    return load
  }
  const profiling = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
  // Several processes are started as `npm start` does; a single one reports its heap.
  const program = workers === 1 ? 'processes/service.ts' : '../src/server.ts'
  const { heap, allocator } = memoryOfStart()
  const processes = { WORKERS: String(workers), ...allocator }
  const health = '/api/v1/health'
  const service = await start(program, health, processes, [...heap, ...profiling])
  const uncached = await start(program, health, { ...processes, ANSWER_CACHE_MB: '0', WORKER: 'off' }, heap)
  const bare = await start('processes/bare.ts', '/')
  const floor = beside ? bare : await start('processes/floor.ts', '/')
  const limits = { ...allocator, WORKER: 'off', LIMITS: JSON.stringify(floodLimits) }
  const limited = beside ? service : await start('processes/service.ts', health, limits, heap)
  const [load, others] = [await startLoad(), await startLoad()]
  const wal = await openWal(connection)
  return {
    setting: { load, others, postmaster, database, wal, ...measuring },
    targets: { service, uncached, limited, floor, bare },
  }
}

/** Readings during a long run: the CPU time of each part, the memory of each process, and the size of each table. */
import { existsSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { cpuSecondsOf, endedSecondsOf, ownSeconds, residentOf, withChildren } from '../processes/machine.ts'

/** `requests`: backends of the service, and the processes that read and log for them. */
const databaseParts = ['requests', 'worker', 'autovacuum', 'checkpointer', 'measuring'] as const
export type DatabasePart = (typeof databaseParts)[number]

export type CpuSeconds = { service: number; worker: number; database: Record<DatabasePart, number> }
export type Megabytes = { service: number; worker: number; databasePrivate: number; databaseShared: number }
export type TableReading = { table: string; rows: number; dead: number; megabytes: number }

type Watched = { service: number; worker: number; postmaster: number }
/** Names the connections in pg_stat_activity. */
export const workerName = 'listings-worker'
const meterName = 'listings-bench'
const sampleMs = 5_000

export type Meter = {
  /** CPU seconds since the start of the run. */
  cpu(): Promise<CpuSeconds>
  memory(): Megabytes
  tables(): Promise<TableReading[]>
  /** Seconds in which any process of the machine waited for a core, since the machine started; null if the kernel does not say. */
  waitingSeconds(): number | null
  end(): Promise<void>
}

/** Samples the database's processes every few seconds, because autovacuum processes end between two readings. */
export async function openMeter(connection: pg.ClientConfig, watched: Watched): Promise<Meter> {
  const client = new pg.Client({ ...connection, application_name: meterName })
  await client.connect()
  const sample = await openDatabaseSampler(client, watched.postmaster)
  let sampling = sample()
  const again = (): typeof sampling => (sampling = sampling.then(sample))
  const timer = setInterval(() => void again(), sampleMs)
  return {
    async cpu() {
      const database = await again()
      return { service: cpuSecondsOf(watched.service), worker: cpuSecondsOf(watched.worker), database }
    },
    memory: () => ({
      service: sum(residentOf(watched.service)),
      worker: sum(residentOf(watched.worker)),
      ...databaseMemory(watched.postmaster),
    }),
    async tables() {
      const { rows } = await client.query<TableReading>(`
        select relname as table, n_live_tup::float8 as rows, n_dead_tup::float8 as dead,
          pg_total_relation_size(relid) / 1048576.0::float8 as megabytes
        from pg_stat_user_tables where schemaname = 'public' and relname <> 'bench_data' order by relname`)
      return rows
    },
    waitingSeconds() {
      const [, microseconds] = /^some .*total=(\d+)/.exec(pressure()) ?? []
      return microseconds === undefined ? null : Number(microseconds) / 1e6
    },
    async end() {
      clearInterval(timer)
      await sampling
      await client.end()
    },
  }
}

async function openDatabaseSampler(client: pg.Client, postmaster: number) {
  const total = Object.fromEntries(databaseParts.map((part) => [part, 0])) as Record<DatabasePart, number>
  const seen = new Map<number, { part: DatabasePart; seconds: number }>()
  let ended = endedSecondsOf(postmaster)
  let isFirst = true
  return async (): Promise<Record<DatabasePart, number>> => {
    const { rows } = await client.query<Activity>(
      'select pid, backend_type, application_name from pg_stat_activity',
    )
    const parts = new Map(rows.map((row) => [row.pid, partOf(row)]))
    const alive = new Set(withChildren(postmaster))
    for (const pid of alive) {
      const seconds = ownSeconds(String(pid))
      if (seconds === null) continue
      const before = seen.get(pid)
      const part = parts.get(pid) ?? before?.part ?? 'requests'
      if (!isFirst) total[part] += Math.max(0, seconds - (before?.seconds ?? 0))
      seen.set(pid, { part, seconds })
    }
    // CPU time of ended processes that no sample has counted. Nearly all processes that were never sampled are autovacuum's.
    const endedNow = endedSecondsOf(postmaster)
    let rest = endedNow - ended
    ended = endedNow
    const gone = [...seen].filter(([pid]) => !alive.has(pid))
    for (const [pid, { seconds }] of gone) {
      rest -= seconds
      seen.delete(pid)
    }
    const only = new Set(gone.map(([, { part }]) => part))
    const [part = 'autovacuum'] = only.size === 1 ? only : []
    if (!isFirst) total[part] += Math.max(0, rest)
    isFirst = false
    return { ...total }
  }
}

type Activity = { pid: number; backend_type: string; application_name: string }

function partOf({ backend_type: type, application_name: name }: Activity): DatabasePart {
  if (type.startsWith('autovacuum')) return 'autovacuum'
  if (type === 'checkpointer' || type === 'background writer') return 'checkpointer'
  if (name === workerName) return 'worker'
  return name === meterName ? 'measuring' : 'requests'
}

/** Proportional set size: pages that several processes share count once. */
function databaseMemory(postmaster: number): { databasePrivate: number; databaseShared: number } {
  let [all, shared] = [0, 0]
  for (const pid of withChildren(postmaster)) {
    try {
      const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
      all += Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0)
      shared += Number(/^Pss_Shmem:\s+(\d+)/m.exec(text)?.[1] ?? 0)
    } catch {
      // It has ended in the meantime.
    }
  }
  return { databasePrivate: (all - shared) / 1024, databaseShared: shared / 1024 }
}

/** Pressure stall information of the kernel; empty where it has none. */
function pressure(): string {
  return existsSync('/proc/pressure/cpu') ? readFileSync('/proc/pressure/cpu', 'utf8') : ''
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

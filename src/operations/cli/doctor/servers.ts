/** Checks every PostgreSQL server, which with Citus is every node: its clock, its unused replication slots, and whether it is reachable. */
import type { ClientConfig } from 'pg'
import { findBrokenLinks, getServers, type Server } from '../../../platform/db/citus/servers.ts'
import { withSession } from '../../../platform/db/statements/session.ts'
import { statement } from '../../../platform/db/statements/statement.ts'
import { describeError } from '../command.ts'
import { bytesText, gib } from '../output.ts'
import { type Check, check, type Finding } from './check.ts'

/** A server's clock, and this machine's when it was read. */
type Clock = Readonly<{ server: string | null; ms: number; hereMs: number }>
type Slot = Readonly<{ server: string | null; name: string; bytes: number }>
type Look = Readonly<{ clock: Clock; slots: readonly Slot[] }>

export async function checkServers(connection: ClientConfig): Promise<Check[]> {
  const servers = await getServers(connection)
  const looks: Look[] = []
  const problems: string[] = []
  const look = async (server: Server): Promise<void> => {
    try {
      looks.push(await lookAt(server))
    } catch (error) {
      problems.push(`${server.name ?? 'the server'} cannot be examined: ${describeError(error)}`)
    }
  }
  await Promise.all(servers.map(look))
  const clocks = looks.map(({ clock }) => clock)
  const slots = looks.flatMap((found) => found.slots)
  return [
    await check('clock', async () => {
      if (clocks.length === 0) throw new Error(problems.join('; '))
      // The query reads from every node.
      return describeClocks(clocks, problems.length > 0 ? null : await readLatestChange(connection))
    }),
    await check('replication slots', () => {
      if (problems.length > 0) throw new Error(problems.join('; '))
      return describeSlots(slots)
    }),
    ...(servers.length === 1
      ? []
      : [await check('nodes', () => describeNodes(connection, servers, problems))]),
  ]
}

const readClock = statement<{ ms: number }>(
  'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
)

/** Slots that nobody reads, with the write-ahead log that they retain. */
const selectUnused = statement<{ name: string; bytes: number }>(`
  select slot_name as name, coalesce(pg_wal_lsn_diff(
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, restart_lsn), 0)::float8 as bytes
  from pg_replication_slots where not active order by slot_name`)

async function lookAt(server: Server): Promise<Look> {
  return await withSession(server.connection, async (session) => {
    const [clock] = await readClock(session, [])
    const hereMs = Date.now()
    const slots = await selectUnused(session, [])
    return {
      clock: { server: server.name, ms: clock?.ms ?? 0, hereMs },
      slots: slots.map((slot) => ({ server: server.name, ...slot })),
    }
  })
}

const selectLatestChange = statement<{ ms: number | null }>(
  'select extract(epoch from max(changed_at))::float8 * 1000 as ms from agency_revisions',
)

/** The time of the latest write of any agency, in milliseconds; null without one. */
async function readLatestChange(connection: ClientConfig): Promise<number | null> {
  const [row] = await withSession(connection, (session) => selectLatestChange(session, []))
  return row?.ms ?? null
}

/** A larger difference would make second factors fail: a code lasts 30 seconds. */
const maxApartMs = 10_000
/** Timestamps of an agency's writes increase by at least a millisecond each, so a burst may be ahead of the clock. */
const maxAheadMs = 60_000

/**
 * Compares the clocks of the servers with this machine's, and with the latest change: they may all have been set back.
 * @throws if one is wrong
 */
export function describeClocks(clocks: readonly Clock[], latestMs: number | null): string {
  const apart = clocks.flatMap(({ server, ms, hereMs }) => {
    if (Math.abs(ms - hereMs) <= maxApartMs) return []
    const seconds = Math.round(Math.abs(ms - hereMs) / 1_000)
    const whose = server === null ? "the database's" : `that of ${server}`
    return [`this machine's clock is ${seconds} s ${ms > hereMs ? 'behind' : 'ahead of'} ${whose}`]
  })
  if (apart.length > 0) throw new Error(`${apart.join('; ')}. Synchronise them, for example by NTP.`)
  const earliestMs = Math.min(...clocks.map(({ ms }) => ms))
  if (latestMs !== null && latestMs - earliestMs > maxAheadMs)
    throw new Error(
      `the clock shows ${dateText(earliestMs)}, but the latest change is of ${dateText(latestMs)}: the clock was set back, or was ahead`,
    )
  return `${dateText(earliestMs)}, as on this machine`
}

function dateText(ms: number): string {
  return new Date(ms).toISOString()
}

/** The alert ListingsSlotStale has the same limit. */
const maxRetained = gib

/** @throws if one retains much */
export function describeSlots(unused: readonly Slot[]): Finding {
  if (unused.length === 0) return 'no unused slots'
  const shown = (slots: readonly Slot[]) =>
    slots
      .map(
        ({ server, name, bytes }) => `${name}${server === null ? '' : ` on ${server}`} (${bytesText(bytes)})`,
      )
      .join(', ')
  const stale = unused.filter(({ bytes }) => bytes > maxRetained)
  if (stale.length > 0)
    throw new Error(
      `nobody reads ${shown(stale)}: PostgreSQL keeps this much write-ahead log, and more until the disk is full. Bring the reader back, or drop the slot.`,
    )
  return { warning: `nobody reads ${shown(unused)}` }
}

/** @param problems of the nodes that this machine cannot reach @throws if there are any, or if nodes cannot reach each other */
async function describeNodes(
  coordinator: ClientConfig,
  servers: readonly Server[],
  problems: readonly string[],
): Promise<string> {
  const inactive = servers.filter(({ isActive }) => !isActive).map(({ name }) => `${name} is not active`)
  const all = [...problems, ...inactive]
  if (all.length === 0)
    for (const { from, to } of await withSession(coordinator, findBrokenLinks))
      all.push(`${from} cannot reach ${to}`)
  if (all.length > 0) throw new Error(all.join('; '))
  return `all ${servers.length} can be reached, also from each other`
}

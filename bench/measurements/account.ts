/**
 * The cost breakdown of a creation: its cost to the service and the database by process, by statement, and by what is written to the
 * write-ahead log. Statements are timed on one connection, so that none waits for another; everything else is measured under full load.
 */
import pg from 'pg'
import { cpuByKind, cpuByThread } from './cpu-by-kind.ts'
import { measureOnce, type Setting, type Variant } from './measure.ts'
import type { Wal } from './wal.ts'

/** All figures are per creation. */
export type Account = {
  creations: number
  perSecond: number
  cpu: { who: string; microseconds: number }[]
  /** Measured one creation at a time, and with creations in parallel. */
  statements: StatementCost[]
  statementsUnderLoad: StatementCost[]
  written: Written[]
}

export type StatementCost = {
  label: string
  /** Whether it runs inside another statement, as a check of a reference or a trigger. The outer figures include it. */
  inner: boolean
  calls: number
  planMicroseconds: number
  execMicroseconds: number
  blocks: number
  walRecords: number
  walBytes: number
}

/** WAL bytes per kind of record and relation (null: none), without full pages. */
export type Written = {
  relation: string | null
  /** The relation's purpose; for an index, its table. */
  purpose: string | null
  record: string
  records: number
  bytes: number
  fullPageBytes: number
}

/** Smaller records are summed up as "all else". */
const minBytes = 5
/** Smaller CPU times and statements are left out. */
const minMicroseconds = 0.5

/** @param create the service's creations @param pid the service's process */
export async function accountOf(
  setting: Setting & { wal: Wal },
  create: Variant,
  connection: pg.ClientConfig,
): Promise<Account> {
  const pid = create.target.child.process.pid ?? 0
  const client = new pg.Client(connection)
  await client.connect()
  // Otherwise the measurement's own writes would count.
  const { writes: _, ...requests } = create
  await measureOnce(setting, requests, setting.durationMs)

  const canTell = await hasStatements(client)
  const forget = async () => canTell && (await client.query('select pg_stat_statements_reset()'))
  await forget()
  const position = await setting.wal.position()
  const before = { database: cpuByKind(setting.postmaster), service: cpuByThread(pid) }
  const { requests: creations, requestsPerSecond } = await measureOnce(setting, requests, setting.durationMs)
  const after = { database: cpuByKind(setting.postmaster), service: cpuByThread(pid) }
  const statementsUnderLoad = canTell ? await statementsOf(client, creations) : []
  const written = await writtenBetween(client, position, await setting.wal.position(), creations)

  await forget()
  const alone = await measureOnce(setting, { ...requests, connections: 1 }, setting.durationMs)
  const statements = canTell ? await statementsOf(client, alone.requests) : []
  await client.end()
  const cpu = (whose: string, from: Map<string, number>, to: Map<string, number>) =>
    [...to]
      .map(([kind, seconds]) => ({
        who: `${whose}: ${kind}`,
        microseconds: ((seconds - (from.get(kind) ?? 0)) * 1e6) / creations,
      }))
      .filter(({ microseconds }) => microseconds >= minMicroseconds)
      .sort((a, b) => b.microseconds - a.microseconds)
  return {
    creations,
    perSecond: requestsPerSecond,
    cpu: [
      ...cpu('service', before.service, after.service),
      ...cpu('PostgreSQL', before.database, after.database),
    ],
    statements,
    statementsUnderLoad,
    written,
  }
}

async function hasStatements(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query("select current_setting('shared_preload_libraries') as loaded")
  if (!String(rows[0].loaded).includes('pg_stat_statements')) return false
  await client.query('create extension if not exists pg_stat_statements')
  return true
}

async function statementsOf(client: pg.Client, creations: number): Promise<StatementCost[]> {
  const { rows } = await client.query<Omit<StatementCost, 'label'> & { query: string }>(`
    select query, not toplevel as inner, sum(calls)::float8 as calls,
      sum(total_plan_time)::float8 * 1000 as "planMicroseconds", sum(total_exec_time)::float8 * 1000 as "execMicroseconds",
      sum(shared_blks_hit + shared_blks_read)::float8 as blocks,
      sum(wal_records)::float8 as "walRecords", sum(wal_bytes)::float8 as "walBytes"
    from pg_stat_statements
    where query not like '%pg_stat_statements%' and query not like '%pg_logical_emit_message%'
    group by query, toplevel
    order by "execMicroseconds" desc`)
  return rows
    .map(({ query, inner, calls, ...rest }) => ({
      label: labelOf(query),
      inner,
      calls: calls / creations,
      planMicroseconds: rest.planMicroseconds / creations,
      execMicroseconds: rest.execMicroseconds / creations,
      blocks: rest.blocks / creations,
      walRecords: rest.walRecords / creations,
      walBytes: rest.walBytes / creations,
    }))
    .filter(
      ({ execMicroseconds, planMicroseconds }) => execMicroseconds + planMicroseconds >= minMicroseconds,
    )
}

/** A statement's actions and tables: `insert idempotency_keys`, `lock agency_revisions`. */
function labelOf(query: string): string {
  const text = query
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('"', '')
    .replaceAll('public.', '')
  const changes = [...text.matchAll(/(?<!for |key |do )\b(insert into|update|delete from) (?:only )?(\w+)/gi)]
  const names = changes.map(([, verb = '', table]) => `${verb.split(' ', 1)[0]?.toLowerCase()} ${table}`)
  if (names.length > 0) return [...new Set(names)].join(', ')
  const read = [...text.matchAll(/\b(?:from|join) (?:only )?([a-z]\w+)/gi)].map(([, table]) => table)
  if (read.length === 0) return text.slice(0, 60).toLowerCase()
  const verb = / for (no key update|update|key share|share)\b/i.test(text) ? 'lock' : 'select'
  return `${verb} ${[...new Set(read)].join(', ')}`
}

async function writtenBetween(
  client: pg.Client,
  from: string,
  to: string,
  creations: number,
): Promise<Written[]> {
  // A record that touches several pages counts for the relation of the first.
  const { rows } = await client.query<Written>(
    `with records as (
      select substring(block_ref from 'rel \\d+/\\d+/(\\d+)')::oid as file, resource_manager || ' ' || record_type as record,
        record_length - fpi_length as bytes, fpi_length
      from pg_get_wal_records_info($1, $2)
      where not (resource_manager = 'LogicalMessage' or record_length = 0)
    ), summed as (
      select file, record, count(*) / $3::float8 as records, sum(bytes) / $3::float8 as bytes, sum(fpi_length) / $3::float8 as full_pages
      from records group by file, record
    ), relations as (
      select pg_relation_filenode(c.oid) as file, c.oid, c.relname, c.relkind, t.relname as of_table, a.amname,
        (select w.relname from pg_class w where w.reltoastrelid = coalesce(i.indrelid, c.oid)) as toast_of
      from pg_class c
      left join pg_am a on a.oid = c.relam
      left join pg_index i on i.indexrelid = c.oid
      left join pg_class t on t.oid = i.indrelid
      where c.relkind in ('r', 'i', 't', 'S')
    )
    select case when toast_of is null then relname::text else 'long values of ' || toast_of end as relation,
      case when of_table is not null then amname || ' index of ' || coalesce(toast_of, of_table)
        else split_part(obj_description(oid, 'pg_class'), '.', 1) end as purpose,
      record, records, bytes, full_pages as "fullPageBytes"
    from summed left join relations using (file)
    order by bytes + full_pages desc`,
    [from, to, creations],
  )
  const large = rows.filter(({ bytes, fullPageBytes }) => bytes + fullPageBytes >= minBytes)
  const rest = rows.filter((row) => !large.includes(row))
  const sum = (figure: 'records' | 'bytes' | 'fullPageBytes') =>
    rest.reduce((total, row) => total + row[figure], 0)
  return [
    ...large,
    {
      relation: null,
      purpose: null,
      record: 'all else',
      records: sum('records'),
      bytes: sum('bytes'),
      fullPageBytes: sum('fullPageBytes'),
    },
  ]
}

/**
 * Test databases on Citus (`npm run test:citus`), created on every node. TEST_CITUS_URL is the coordinator. The workers are those that its
 * database lists, else TEST_CITUS_WORKERS (`host:port,…`), else the next two ports of the same host.
 */
import { randomBytes } from 'node:crypto'
import { Client, escapeIdentifier, escapeLiteral, type ClientConfig } from 'pg'
import { distribute } from '../../../src/platform/db/citus/distribute.ts'
import { migrate } from '../../../src/platform/db/migrations/migrate.ts'
import { withSession } from '../../../src/platform/db/statements/session.ts'

/** The coordinator's address, or empty. */
export const citusUrl = process.env['TEST_CITUS_URL'] ?? ''
export const isOnCitus = citusUrl !== ''

/** Options of a test that does not apply there. */
export const exceptOnCitus = (reason: string) => ({ skip: isOnCitus && `not on Citus: ${reason}` })

/**
 * The prefix of every test database. Its creator and users hold the advisory lock of its name; a database without a lock may be deleted.
 */
export const prefix = 'listings_test_'
export const lockKey = 'hashtextextended($1, 0)'

/** Few, so that copying is fast; more than there are nodes, so that each has some. */
const shards = 4

/** The last migration before tables could be distributed; later ones run on distributed tables too. */
export const lastBeforeDistributing = '0010_service.sql'

type Node = { host: string; port: number }

/** Runs a statement on every node at once, in the database of TEST_CITUS_URL. @returns the total number of rows */
async function onEachNode(text: string): Promise<number> {
  const counts = await Promise.all((await findNodes()).map((node) => run(addressOf(node), [text])))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Creates the database on every node as a copy of a template. */
export async function copyOnEachNode(name: string, template: string): Promise<void> {
  await onEachNode(`create database ${escapeIdentifier(name)} template ${escapeIdentifier(template)}`)
}

/** Deletes the database if it exists, from the workers first: as long as the coordinator has it, a leftover can be found. */
export async function dropOnEachNode(name: string): Promise<void> {
  await closeOnEachNode(name)
  const drop = `drop database if exists ${escapeIdentifier(name)} with (force)`
  const [coordinator, ...workers] = await findNodes()
  await Promise.all(workers.map((node) => rollBackPrepared(node, name)))
  await Promise.all(workers.map((node) => run(addressOf(node), [drop])))
  await run(addressOf(coordinator), [drop])
}

/** Rolls back transactions that a test left prepared when it ended during a commit; they keep a database from being deleted. */
async function rollBackPrepared(node: Node, name: string): Promise<void> {
  const prepared = `select gid from pg_prepared_xacts where database = '${name}'`
  if ((await run(addressOf(node), [prepared])) === 0) return
  await run(addressOf(node), [`alter database ${escapeIdentifier(name)} with allow_connections true`])
  const client = new Client(addressOf(node, name))
  await client.connect()
  try {
    const { rows } = await client.query<{ gid: string }>(prepared)
    for (const { gid } of rows) await client.query(`rollback prepared ${escapeLiteral(gid)}`)
  } finally {
    await client.end()
  }
}

/**
 * Ends all connections to the database, and refuses new ones. Citus itself connects too: each node's maintenance daemon to every other
 * node. A plain `drop database` waits for the daemon at one node while it blocks another node's.
 */
async function closeOnEachNode(name: string): Promise<void> {
  await onEachNode(closing(name))
  // Repeated, because a busy maintenance daemon misses the signal and then sleeps for two seconds.
  const end = `select pg_terminate_backend(pid, 100) from pg_stat_activity where datname = '${name}'`
  while ((await onEachNode(end)) > 0);
}

/** Closes a database to connections, if it exists. */
const closing = (name: string): string => `do $$ begin
  if exists (select from pg_database where datname = '${name}') then
    alter database ${escapeIdentifier(name)} with allow_connections false;
  end if;
end $$`

/** An empty database for one test on every node; has Citus once the nodes are joined. */
export async function undistributedDatabase(): Promise<{
  connection: ClientConfig
  join(): Promise<void>
  drop(): Promise<void>
}> {
  const name = `${prefix}${randomBytes(6).toString('hex')}`
  const holder = new Client(citusUrl)
  await holder.connect()
  await holder.query(`select pg_advisory_lock(${lockKey})`, [name])
  return {
    connection: await createOnEachNode(name),
    join: () => joinNodes(name),
    async drop() {
      await dropOnEachNode(name)
      await holder.end()
    },
  }
}

/** @returns the address of the coordinator's database */
async function createOnEachNode(name: string): Promise<ClientConfig> {
  await onEachNode(`create database ${escapeIdentifier(name)} template template0 encoding 'UTF8'`)
  const [coordinator] = await findNodes()
  return { connectionString: addressOf(coordinator, name) }
}

async function joinNodes(name: string): Promise<void> {
  const [coordinator, ...workers] = await findNodes()
  await Promise.all(
    [coordinator, ...workers].map((node) => run(addressOf(node, name), ['create extension citus'])),
  )
  await run(addressOf(coordinator, name), [
    `select citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`,
    ...workers.map(({ host, port }) => `select citus_add_node('${host}', ${port})`),
  ])
}

/** A template: migrated, distributed, and closed to connections, as copying requires. It gets its name once it is complete. */
export async function createTemplate(name: string, unfinished: string): Promise<void> {
  const connection = await createOnEachNode(unfinished)
  await joinNodes(unfinished)
  await migrate(connection)
  await withSession(connection, (session) => distribute(session, { shards }))
  await closeOnEachNode(unfinished)
  const [coordinator, ...workers] = await findNodes()
  const rename = `alter database ${escapeIdentifier(unfinished)} rename to ${escapeIdentifier(name)}`
  await Promise.all(workers.map((node) => run(addressOf(node), [rename])))
  await run(addressOf(coordinator), [rename])
}

let nodes: Promise<[Node, ...Node[]]> | null = null

/** The coordinator first. */
function findNodes(): Promise<[Node, ...Node[]]> {
  return (nodes ??= lookForNodes())
}

async function lookForNodes(): Promise<[Node, ...Node[]]> {
  const { hostname: host, port } = new URL(citusUrl)
  const coordinator = { host, port: Number(port || 5432) }
  const named = (process.env['TEST_CITUS_WORKERS'] ?? '').split(',').filter((one) => one !== '')
  if (named.length > 0) return [coordinator, ...named.map(toNode)]
  const client = new Client(citusUrl)
  await client.connect()
  try {
    const { rows } = await client.query<{ exists: boolean }>(
      `select to_regclass('pg_dist_node') is not null as exists`,
    )
    if (rows[0]?.exists === true) {
      const known = await client.query<Node>(
        `select nodename as host, nodeport as port from pg_dist_node where groupid > 0 and noderole = 'primary' order by 2, 1`,
      )
      if (known.rows.length > 0) return [coordinator, ...known.rows]
    }
  } finally {
    await client.end()
  }
  return [coordinator, ...[1, 2].map((more) => ({ host, port: coordinator.port + more }))]
}

function toNode(text: string): Node {
  const { hostname: host, port } = new URL(`postgres://${text}`)
  return { host, port: Number(port || 5432) }
}

function addressOf({ host, port }: Node, database?: string): string {
  const address = new URL(citusUrl)
  address.hostname = host
  address.port = String(port)
  if (database !== undefined) address.pathname = `/${database}`
  return address.href
}

/** Runs statements on one node. Creating and deleting databases is not propagated, so each node gets the statement itself. */
async function run(address: string, texts: readonly string[]): Promise<number> {
  const client = new Client(address)
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('set citus.enable_create_database_propagation = off')
    let count = 0
    for (const text of texts) count = (await client.query(text)).rowCount ?? 0
    return count
  } finally {
    await client.end()
  }
}

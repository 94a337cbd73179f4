/**
 * A separate Citus cluster: a coordinator and workers on free ports of the loopback, which are killed, frozen and started by the test.
 * Needs CITUS_BIN, the folder with the programs of a PostgreSQL with Citus; without it `skipped` has the reason for skipping.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chownSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { freePort } from '../../test/support/network/free-port.ts'
import { connectDatabase } from '../../src/platform/db/connect.ts'
import type { Db } from '../../src/platform/db/database.ts'
import { distribute } from '../../src/platform/db/citus/distribute.ts'
import { migrate } from '../../src/platform/db/migrations/migrate.ts'
import { withSession } from '../../src/platform/db/statements/session.ts'
import { newDataDir } from '../support/service.ts'

const programs = process.env['CITUS_BIN'] ?? ''
export const skipped: string | false =
  programs === '' ? 'CITUS_BIN is missing: the programs of a PostgreSQL with Citus' : false

/** Few, so that distributing is fast, but enough for each worker to have several. */
const shards = 8
/** PostgreSQL does not run as root, so it runs as Linux's `nobody`. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
/** The home directory, where PostgreSQL's programs look for certificates: `/`, because that of root is not readable. */
const env = { ...process.env, HOME: '/' }

export type CitusNode = {
  name: string
  port: number
  url: string
  /** Resolves once it responds. */
  start(): Promise<void>
  /** Sends SIGKILL to all of its processes. */
  kill(): Promise<void>
  /** Sends SIGSTOP to all of its processes: it is reachable, but silent. */
  freeze(): void
  thaw(): void
  /** Creates a streaming replica of the node, and waits until it has started. */
  follower(name: string): Promise<CitusNode>
  /** Runs statements on a new connection. @returns the rows of the last one */
  ask<Row extends object>(...statements: readonly [string, ...string[]]): Promise<Row[]>
}

type Place = { shard: number; port: number }

export type Citus = {
  /** The coordinator's address, in the form of DATABASE_URL. */
  url: string
  coordinator: CitusNode
  workers: CitusNode[]
  /** Connected like the service, with migrated and distributed tables. */
  db: Db
  /** Adds a node without shards. */
  addWorker(): Promise<CitusNode>
  /** The location of an agency's rows: their group of shards, as the shard of `agency_revisions`, and the port of its node. */
  placeOf(agencyId: string): Promise<Place>
  /** Moves a group of shards to another node by logical replication, during which writes continue. */
  move(place: Place, to: CitusNode): Promise<void>
  end(): Promise<void>
}

export async function startCitus(): Promise<Citus> {
  const home = newDataDir()
  await using opening = new AsyncDisposableStack()
  opening.defer(() => rmSync(home, { recursive: true, force: true }))
  const nodes: CitusNode[] = []
  opening.defer(async () => {
    for (const node of nodes) await node.kill()
  })
  const add = async (name: string): Promise<CitusNode> => {
    const node = await newNode(home, name, nodes)
    await node.ask('create extension citus')
    return node
  }
  const [coordinator, ...workers] = (await Promise.all(['coordinator', 'worker-1', 'worker-2'].map(add))) as [
    CitusNode,
    ...CitusNode[],
  ]
  const join = async (node: CitusNode) =>
    void (await coordinator.ask(`select citus_add_node('127.0.0.1', ${node.port})`))
  await coordinator.ask(`select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`)
  for (const worker of workers) await join(worker)
  await migrate({ connectionString: coordinator.url })
  await withSession({ connectionString: coordinator.url }, (session) => distribute(session, { shards }))
  const db = await connectDatabase({ connection: { connectionString: coordinator.url }, poolSize: 5 })
  opening.defer(() => db.destroy())
  const opened = opening.move()
  return {
    url: coordinator.url,
    coordinator,
    workers,
    db,
    async addWorker() {
      const worker = await add(`worker-${workers.length + 1}`)
      await join(worker)
      await coordinator.ask(`select replicate_reference_tables('force_logical')`)
      workers.push(worker)
      return worker
    },
    async placeOf(agencyId) {
      const [place] = await coordinator.ask<Place>(
        `select shardid::int as shard, n.nodeport as port from pg_dist_placement p join pg_dist_node n using (groupid)
        where n.noderole = 'primary' and shardid = get_shard_id_for_distribution_column('agency_revisions', '${agencyId}'::uuid)`,
      )
      if (place === undefined) throw new Error('the shard of the agency has no node')
      return place
    },
    async move({ shard, port }, to) {
      await coordinator.ask(
        `select citus_move_shard_placement(${shard}, '127.0.0.1', ${port}, '127.0.0.1', ${to.port}, 'force_logical')`,
      )
    },
    end: () => opened.disposeAsync(),
  }
}

async function newNode(
  home: string,
  name: string,
  nodes: CitusNode[],
  source?: CitusNode,
): Promise<CitusNode> {
  const data = join(home, name)
  const port = await freePort()
  if (source === undefined) {
    mkdirSync(data)
    if (user.uid !== undefined) chownSync(data, user.uid, user.gid)
    run('initdb', '-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N')
    appendFileSync(join(data, 'postgresql.conf'), settings)
  } else {
    chownHome(home)
    run(
      'pg_basebackup',
      '-D',
      data,
      '-h',
      '127.0.0.1',
      '-p',
      String(source.port),
      '-U',
      'postgres',
      '-X',
      'stream',
      '-R',
      '-c',
      'fast',
    )
  }
  appendFileSync(join(data, 'postgresql.conf'), `port = ${port}\n`)
  const node = nodeAt(home, name, port, nodes)
  nodes.push(node)
  await node.start()
  return node
}

const settings = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
shared_preload_libraries = 'citus'
shared_buffers = 32MB
max_connections = 200
max_prepared_transactions = 200
wal_level = logical
citus.recover_2pc_interval = '5s'
timezone = 'UTC'
`

/** Lets `nobody` create folders in it when root runs the tests. */
function chownHome(home: string): void {
  if (user.uid !== undefined) chownSync(home, user.uid, user.gid)
}

function run(program: string, ...words: string[]): void {
  execFileSync(join(programs, program), words, {
    ...user,
    env,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

function nodeAt(home: string, name: string, port: number, nodes: CitusNode[]): CitusNode {
  const data = join(home, name)
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  let postmaster: ChildProcess | null = null

  const children = (): number[] => {
    if (postmaster === null) return []
    const { pid = 0 } = postmaster
    const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return listed.trim().split(' ').filter(Boolean).map(Number)
  }
  const signal = (name: NodeJS.Signals, pids: readonly number[]): void => {
    for (const pid of pids) {
      try {
        process.kill(pid, name)
      } catch {
        // It has ended in the meantime.
      }
    }
  }
  /** Starts with the first process, because it then cannot start others. */
  const freeze = (): void => {
    if (postmaster === null) return
    signal('SIGSTOP', [Number(postmaster.pid)])
    signal('SIGSTOP', children())
  }

  const node: CitusNode = {
    name,
    port,
    url,
    async start() {
      const log = openSync(join(home, `${name}.log`), 'a')
      rmSync(join(data, 'postmaster.pid'), { force: true })
      const started = spawn(join(programs, 'postgres'), ['-D', data], {
        ...user,
        env,
        cwd: '/',
        stdio: ['ignore', log, log],
      })
      postmaster = started
      for (;;) {
        if (started.exitCode !== null)
          throw new Error(`${name}: ${readFileSync(join(home, `${name}.log`), 'utf8')}`)
        try {
          await node.ask('select 1')
          return
        } catch {
          await delay(20)
        }
      }
    },
    async kill() {
      if (postmaster === null) return
      const gone = once(postmaster, 'exit')
      freeze()
      const all = [...children(), Number(postmaster.pid)]
      signal('SIGKILL', all)
      await gone
      // A surviving process holds the shared memory, and prevents the next start.
      while (all.some((pid) => existsSync(`/proc/${pid}`))) await delay(2)
      postmaster = null
    },
    freeze,
    thaw() {
      if (postmaster !== null) signal('SIGCONT', [...children(), Number(postmaster.pid)])
    },
    follower: (name) => newNode(home, name, nodes, node),
    async ask<Row extends object>(...statements: readonly [string, ...string[]]): Promise<Row[]> {
      const client = new Client(url)
      client.on('error', () => {})
      await client.connect()
      try {
        let rows: Row[] = []
        for (const statement of statements) ({ rows } = await client.query<Row>(statement))
        return rows
      } finally {
        await client.end()
      }
    },
  }
  return node
}

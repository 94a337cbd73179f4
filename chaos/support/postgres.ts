/** A separate PostgreSQL that only the test stops, freezes and starts. */
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import type { ClientConfig } from 'pg'
import { getBinaries, reachableBinaries } from '../../src/platform/db/embedded/embedded-binaries.ts'
import {
  defaultSystemDirectory,
  openPaths,
  makeSocketDirectory,
  removeSocketDirectory,
} from '../../src/platform/db/embedded/embedded-paths.ts'
import { initialise } from '../../src/platform/db/embedded/launch.ts'
import { findPostmaster, startPostmaster, stopPostmaster } from '../../src/platform/db/embedded/postmaster.ts'
import { getWhereabouts } from '../../src/platform/db/embedded/running.ts'
import { newDataDir } from './service.ts'

export type OwnPostgres = {
  connection: ClientConfig
  /** Its address, in the form of DATABASE_URL. */
  url: string
  /** Stops it without waiting for its clients, as an operator restarts it. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Sends SIGSTOP to all of its processes: it is reachable, but silent. */
  freeze(): void
  thaw(): void
  /** Stops it and deletes its data. */
  end(): Promise<void>
}

export async function ownPostgres(): Promise<OwnPostgres> {
  const dataDir = newDataDir()
  const log = (): void => {}
  const found = getBinaries()
  const place = openPaths(dataDir, found.major, defaultSystemDirectory, log)
  const binaries =
    place.runAs === undefined ? found : reachableBinaries(found, place.runAs, defaultSystemDirectory, log)
  await initialise(place, binaries, true)
  const socketDirectory = makeSocketDirectory(place)
  const start = () =>
    startPostmaster(place, binaries, { here: getWhereabouts(), socketDirectory, durable: true, log })
  const connection = await start()
  const signal = (name: NodeJS.Signals): void => {
    const pid = findPostmaster(place)?.pid
    if (pid === undefined) return
    const listed = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    for (const one of [pid, ...listed.trim().split(/\s+/).map(Number)]) process.kill(one, name)
  }
  return {
    connection,
    url: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(socketDirectory)}`,
    stop: () => stopPostmaster(place, log),
    start: async () => void (await start()),
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async end() {
      await stopPostmaster(place, log)
      removeSocketDirectory(socketDirectory)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

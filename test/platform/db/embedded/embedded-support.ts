/** Helpers for tests of the embedded database: a directory, and starts in this process or another. */
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after } from 'node:test'
import { Client, type ClientConfig } from 'pg'
import {
  startEmbedded,
  type EmbeddedDatabase,
  type EmbeddedOptions,
} from '../../../../src/platform/db/embedded/embedded.ts'

export const isRoot = process.getuid?.() === 0
/** This test file's directory; deleted at the end. */
export const base = mkdtempSync(join(tmpdir(), 'embedded-'))
chmodSync(base, 0o755)
export const dataDir = join(base, 'data')
/** Cleanups for what a failed test left running. */
export const leftovers: (() => unknown)[] = []
after(async () => {
  for (const end of leftovers) await end()
  rmSync(base, { recursive: true, force: true })
})

export async function start(options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedDatabase> {
  const embedded = await startEmbedded({
    dataDir,
    log: () => {},
    durable: false,
    systemDirectory: join(base, 'system'),
    ...options,
  })
  leftovers.push(() => embedded.release())
  return embedded
}

export async function ask<Row>(connection: ClientConfig, sql: string): Promise<Row[]> {
  const client = new Client(connection)
  await client.connect()
  try {
    return (await client.query(sql)).rows as Row[]
  } finally {
    await client.end()
  }
}

/** The pid in postmaster.pid; null after a clean stop of PostgreSQL. */
export function postmasterPid(directory: string = dataDir): number | null {
  const file = join(directory, 'postgres-18', 'data', 'postmaster.pid')
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : null
}

type Said = { host: string }

/** Starts another process that uses the database. */
export async function otherProcess(
  directory: string = dataDir,
  ...args: string[]
): Promise<{ child: ChildProcess; said: Said }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'use-embedded.ts'), directory, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // With its own process group, like a command in a terminal.
    detached: true,
  })
  leftovers.push(() => child.kill('SIGKILL'))
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { child, said: JSON.parse(line) as Said }
}

export async function end(child: ChildProcess): Promise<void> {
  child.stdin?.end()
  const [code] = (await once(child, 'exit')) as [number | null]
  assert.equal(code, 0)
}

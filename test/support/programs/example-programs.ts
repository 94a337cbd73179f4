/** Runs the programs of examples/ in each of their languages, and provides a proxy between them and the service. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { surroundings } from '../app/server.ts'

export const examples = join(import.meta.dirname, '../../../examples')

export type Language = {
  name: string
  /** Requirements that this machine lacks; false if none. */
  lacks: string | false
  command: string
  file: (program: string) => string
}
export const languages: readonly Language[] = [
  {
    name: 'TypeScript',
    lacks: false,
    command: process.execPath,
    file: (program) => `typescript/${program}.ts`,
  },
  {
    name: 'PHP 8.1',
    ...found('php', ['-r', 'echo PHP_VERSION_ID < 80100 ? "" : PHP_BINARY;']),
    file: (program) => `php/${program}.php`,
  },
  {
    name: 'Python 3.9',
    // The command on the PATH may be a script that first looks for the right version.
    ...found('python3', ['-c', 'import sys; print(sys.executable if sys.version_info >= (3, 9) else "")']),
    file: (program) => `python/${program.replaceAll('-', '_')}.py`,
  },
]

/** Asks a program for its own path. It prints nothing if it is too old. */
function found(name: string, question: readonly string[]): Pick<Language, 'command' | 'lacks'> {
  const { status, stdout } = spawnSync(name, question, { encoding: 'utf8' })
  const command = status === 0 ? stdout.trim() : ''
  if (command !== '') return { command, lacks: false }
  return { command: name, lacks: status === 0 ? `${name} is too old` : `${name} is not installed` }
}

/** Whether PHP lacks an extension. */
export function lacksExtension({ command, name }: Language, extension: string): string | false {
  if (!name.startsWith('PHP')) return false
  const { stdout } = spawnSync(command, ['-r', `echo extension_loaded('${extension}') ? 'yes' : 'no';`], {
    encoding: 'utf8',
  })
  return stdout === 'yes' ? false : `php is without the extension ${extension}`
}

export function start(
  { command, file }: Language,
  program: string,
  words: readonly string[],
  settings: Record<string, string>,
): ChildProcess {
  return spawnProgram(command, [join(examples, file(program)), ...words], settings)
}

/** Starts a program that serves pages at `PORT`. @returns a function that stops it, once it listens */
export async function serve(
  { command, file }: Language,
  program: string,
  settings: Record<string, string>,
): Promise<() => Promise<void>> {
  const path = join(examples, file(program))
  const words = file('').endsWith('.php') ? ['-S', `127.0.0.1:${settings['PORT']}`, path] : [path]
  const child = spawnProgram(command, words, settings)
  // It prints a line once it listens.
  await Promise.race([child.stdout, child.stderr].map((stream) => once(stream ?? child, 'data')))
  child.stdout?.resume()
  child.stderr?.resume()
  return async () => {
    child.kill()
    await once(child, 'close')
  }
}

function spawnProgram(command: string, words: readonly string[], settings: Record<string, string>) {
  return spawn(command, words, {
    env: { ...surroundings, PYTHONDONTWRITEBYTECODE: '1', PYTHONUNBUFFERED: '1', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Runs a program to completion. */
export async function run(...program: Parameters<typeof start>) {
  const child = start(...program)
  assert.ok(child.stdout !== null && child.stderr !== null)
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ])
  return { code, stdout, stderr }
}

type Proxy = {
  url: string
  /** The requests for this target so far. */
  seen(target: string): { headers: IncomingHttpHeaders; status: number }[]
  /** Makes the proxy respond with 503 itself from now on. */
  breakDown(): void
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * A proxy in front of the service that shrinks pages of changes and, with `dropsFirst`, drops the response to the first attempt of each
 * write.
 */
export async function openProxy(to: string, { dropsFirst = false } = {}): Promise<Proxy> {
  const requests: { target: string; headers: IncomingHttpHeaders; status: number }[] = []
  let isBroken = false
  const server = createServer(async (request, response) => {
    const { method = '', url: target = '', headers } = request
    const body = await text(request)
    if (isBroken) return void response.writeHead(503).end()
    const ofConnection = ['host', 'connection', 'content-length']
    const upstream = await fetch(to + target.replace('limit=100', 'limit=2'), {
      method,
      headers: Object.entries(headers).filter(([name]) => !ofConnection.includes(name)) as [string, string][],
      ...(body === '' ? {} : { body }),
    })
    const isFirst = !requests.some((earlier) => earlier.target === target)
    requests.push({ target, headers, status: upstream.status })
    const content = await upstream.text()
    if (dropsFirst && isFirst && method !== 'GET') return void response.destroy()
    const etag = upstream.headers.get('etag')
    response.writeHead(upstream.status, etag === null ? {} : { etag }).end(content)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: (target) => requests.filter((request) => request.target === target),
    breakDown: () => void (isBroken = true),
    async [Symbol.asyncDispose]() {
      server.close().closeAllConnections()
    },
  }
}

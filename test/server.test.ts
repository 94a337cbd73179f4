/** The server's own start: an invalid setting stops it with one line and exit code 1, before anything is created. */
// alone: it waits for processes that start
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ConfigError } from '../src/platform/config/settings-reader.ts'
import { startFailure } from '../src/operations/processes/program.ts'
import { surroundings } from './support/app/server.ts'

const program = fileURLToPath(new URL('../src/server.ts', import.meta.url))
const dataDir = join(tmpdir(), `listings-never-made-${process.pid}`)

/** The start of each line. */
const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`

async function start(
  settings: Record<string, string>,
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [program], {
    env: { ...surroundings, DATA_DIR: dataDir, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve)
  })
  const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  return { code, out, err }
}

describe('a wrong setting stops the start', () => {
  // config.test.ts covers every setting; this covers the exit of the process.
  for (const [name, value] of [
    ['LIMITS', '{"reads_per_minut": 5}'],
    ['CRAWLERS_DENY', 'a,'],
  ] as const) {
    test(name, async () => {
      const { code, out, err } = await start({ [name]: value })
      assert.deepEqual([code, out], [1, ''])
      assert.match(err, new RegExp(`^${time} ${name} [^\\n]{20,}\\n$`))
      assert.equal(existsSync(dataDir), false)
    })
  }

  // Errors that only show once the setting is used.
  for (const [name, value] of [
    ['DATABASE_URL', 'postgres://nobody:hunter2@127.0.0.1:1/none'],
    ['DATA_DIR', '/proc/none/here'],
    ['DATA_DIR', '/dev/null'],
  ] as const) {
    test(`${name}=${value}`, async () => {
      const { code, out, err } = await start({ SECRET_KEY: 'sixteen letters!', [name]: value })
      assert.deepEqual([code, out], [1, ''])
      assert.match(err, new RegExp(`^${time} ${name} [^\\n]{20,}\\n$`))
      assert.doesNotMatch(err, /hunter2/)
    })
  }
})

describe('a start that fails', () => {
  const error = (details: object) => Object.assign(new Error('listen: why'), details)
  test('names the setting that caused it', () => {
    for (const [details, name] of [
      [{ code: 'EADDRINUSE', syscall: 'listen' }, 'PORT'],
      [{ code: 'EACCES', syscall: 'listen' }, 'PORT'],
      [{ code: 'EADDRNOTAVAIL', syscall: 'listen' }, 'HOST'],
      [{ code: 'ENOTFOUND', syscall: 'getaddrinfo' }, 'HOST'],
    ] as const) {
      assert.match(startFailure(error(details)), new RegExp(`^${name} .*why`))
    }
    assert.equal(startFailure(new ConfigError('LIMITS cannot be used.')), 'LIMITS cannot be used.')
    assert.equal(startFailure(new Error('odd')), 'The server cannot start: odd')
  })
})

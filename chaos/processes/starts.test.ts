/** Kills in the middle of a start, including the very first one: the next start succeeds, however far the previous one got. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { ask } from '../support/ask.ts'
import { newService, type Service } from '../support/service.ts'

const root = join(import.meta.dirname, '..', '..')
/** The files that a start creates below the data directory, in order. */
const stages: readonly { what: string; isReached: (dataDir: string) => boolean }[] = [
  { what: 'the home of the database', isReached: (dataDir) => existsSync(homeOf(dataDir)) },
  {
    what: 'initdb at work',
    isReached: (dataDir) => namesIn(homeOf(dataDir)).some((name) => name.startsWith('data.new-')),
  },
  {
    what: 'a half-made directory',
    isReached: (dataDir) =>
      namesIn(homeOf(dataDir)).some(
        (name) => name.startsWith('data.new-') && namesIn(join(homeOf(dataDir), name)).includes('base'),
      ),
  },
  { what: 'the data directory', isReached: (dataDir) => existsSync(join(homeOf(dataDir), 'data')) },
  {
    what: 'PostgreSQL starting',
    isReached: (dataDir) => existsSync(join(homeOf(dataDir), 'data', 'postmaster.pid')),
  },
  { what: 'PostgreSQL ready', isReached: (dataDir) => statusOf(dataDir) === 'ready' },
]

const homeOf = (dataDir: string) => join(dataDir, 'postgres-18')
const namesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : [])
const statusOf = (dataDir: string) => {
  const file = join(homeOf(dataDir), 'data', 'postmaster.pid')
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n')[7]?.trim() : undefined
}

const services: Service[] = []
after(async () => {
  for (const service of services) await service.end()
})

/** Starts the server on the data directory, and kills it shortly after it has got that far. */
async function startAndKill(dataDir: string, isReached: (dataDir: string) => boolean): Promise<void> {
  const started = spawn(process.execPath, ['src/server.ts'], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', DEMO: 'off', GEOCODER: 'none', LOG_LEVEL: 'error' },
    stdio: 'ignore',
  })
  while (!isReached(dataDir)) {
    assert.equal(started.exitCode, null, 'the server ended by itself')
    await delay(1)
  }
  await delay(Math.random() * 150)
  const gone = once(started, 'exit')
  started.kill('SIGKILL')
  await gone
}

for (const { what, isReached } of stages) {
  test(`killed at ${what} and once more at the next start`, async () => {
    const service = await newService()
    services.push(service)
    await startAndKill(service.dataDir, isReached)
    // The next one gets a little further, and dies too, by now in the migrations.
    await startAndKill(service.dataDir, (dataDir) => statusOf(dataDir) === 'ready')
    await service.start()
    const { key } = await service.newAgency('started')
    const made = await ask(service.url, key, { method: 'PUT', path: '/properties/external/one', body: {} })
    assert.equal(made?.status, 201, made?.text)
    assert.equal(await service.stop(), 0)
    assert.equal(service.isDatabaseRunning(), false)
  })
}

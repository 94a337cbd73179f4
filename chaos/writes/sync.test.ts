/**
 * The sync command's first import of 2,000 listings with photos is killed ten times, and in the end nothing is duplicated or missing.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Change, ListingsClient } from '../../clients/typescript/src/index.ts'
import type { Outcome } from '../../clients/typescript/src/sync/outcomes.ts'
import { type FaultProxy, faultProxy } from '../../test/support/network/fault-proxy.ts'
import { type Pictures, servePictures } from '../support/pictures.ts'
import { newService, type Service } from '../support/service.ts'

const listings = 2_000
const photosEach = 3
const kills = 10
/** The maximum number of writes between two kills. */
const writesBetweenKills = 20

const command = join(import.meta.dirname, '../../clients/typescript/src/cli.ts')
const downloads = new Map<string, number>()
let pictures: Pictures
let service: Service
let proxy: FaultProxy
let directory: string
let key: string
let onWrite: () => void = () => {}
let writes = 0

before(async () => {
  pictures = await servePictures((path) => {
    downloads.set(path, (downloads.get(path) ?? 0) + 1)
    return false
  })
  service = await newService(pictures.settings)
  await service.start()
  key = (await service.newAgency('sync')).key
  proxy = await faultProxy(service.url, ({ method }) => {
    // The bodies are not needed, and would fill the memory.
    proxy.requests.length = 0
    if (method === 'GET') return 'pass'
    writes += 1
    onWrite()
    return 'pass'
  })
  directory = mkdtempSync(join(tmpdir(), 'listings-sync-'))
  const header = 'Código;Título;Operación;Tipo;Precio;Dirección;Localidad;Latitud;Longitud;Fotos;Estado'
  const rows = Array.from({ length: listings }, (_, index) =>
    [
      `L-${index}`,
      `"Casa ""${index}""\ncon jardín"`,
      'Venta',
      'Casa',
      `U$S ${100 + (index % 800)}.000`,
      `Calle ${100 + Math.floor(index / 100)} Nº ${1000 + (index % 100)}`,
      'La Plata',
      '-34,92',
      '-57,95',
      pictures.addresses(photosEach, `listing-${index}`).join('|'),
      'Publicada',
    ].join(';'),
  )
  writeFileSync(join(directory, 'listings.csv'), `\uFEFF${[header, ...rows].join('\r\n')}\r\n`)
})
after(async () => {
  await proxy.close()
  await service.end()
  await pictures.close()
  rmSync(directory, { recursive: true, force: true })
})

type Ended = { code: number | null; killed: boolean; out: string; err: string }

/** Runs the command. @param killAfter the number of writes before the kill, which happens in the middle of the last one */
async function sync(words: readonly string[], killAfter?: number): Promise<Ended> {
  const child = spawn(process.execPath, [command, 'sync', 'listings.csv', '--url', proxy.url, ...words], {
    cwd: directory,
    env: { PATH: process.env['PATH'], SVC_API_KEY: key },
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (piece: Buffer) => (out += piece.toString()))
  child.stderr.on('data', (piece: Buffer) => (err += piece.toString()))
  let left = killAfter ?? Number.POSITIVE_INFINITY
  onWrite = () => {
    left -= 1
    if (left === 0) void delay(randomInt(0, 500)).then(() => child.kill('SIGKILL'))
  }
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, killed: child.signalCode === 'SIGKILL', out, err }
}

test('imports 2,000 listings with photos despite ten kills', async (t) => {
  const startedAt = performance.now()
  for (let kill = 0; kill < kills; kill += 1) {
    const { killed, out, err } = await sync(['--apply'], randomInt(1, writesBetweenKills + 1))
    assert.ok(killed, `${out}\n${err}`)
  }
  const killedAt = { seconds: (performance.now() - startedAt) / 1_000, writes }
  const last = await sync(['--apply', '--report', 'report.json'])
  assert.equal(last.code, 0, `${last.out}\n${last.err}`)
  assert.match(last.err, /100 % · [\d,]+ of [\d,]+/)
  const seconds = (performance.now() - startedAt) / 1_000

  const client = new ListingsClient({ baseUrl: service.url, key })
  const changes: Change[] = []
  for await (const change of client.changes()) changes.push(change)
  assert.equal(changes.length, listings)
  assert.equal(new Set(changes.map(({ external_id }) => external_id)).size, listings)
  for (const { property, external_id } of changes) {
    assert.equal(property?.status, 'published', String(external_id))
    assert.equal(new Set(property.photos).size, photosEach, String(external_id))
  }
  const { data: me } = await client.me()
  assert.equal(me.usage['new_listings_per_day']?.used, listings)
  assert.equal(me.usage['photos_per_day']?.used, listings * photosEach)
  assert.deepEqual(
    [...downloads].filter(([, times]) => times > 1),
    [],
  )
  const history = JSON.stringify(
    await service.svc('listing', 'history', '--agency', 'sync', '--id', changes[0]?.id ?? ''),
  )
  assert.equal(history.match(/"action"/g)?.length, 1, history)

  const report = JSON.parse(readFileSync(join(directory, 'report.json'), 'utf8')) as Outcome[]
  assert.equal(report.length, listings)
  assert.ok(report.every(({ state }) => state === 'done' || state === 'unchanged'))

  const before = writes
  const second = await sync(['--apply'])
  assert.equal(second.code, 0)
  assert.match(second.out, /Unchanged +2,000\n/)
  assert.equal(writes, before)
  rmSync(join(directory, '.listings-sync.sync.journal'))
  const third = await sync([])
  assert.match(third.out, /New +0\n +Changed +0\n +Photos +2,000\n/)
  t.diagnostic(
    `${seconds.toFixed(0)} s in all, ${killedAt.seconds.toFixed(0)} s until the last kill, ${writes} requests that write`,
  )
})

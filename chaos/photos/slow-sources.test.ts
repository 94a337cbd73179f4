/**
 * Four agencies send photos, one of them 300 slow URLs: names that no resolver answers, headers and bodies that trickle. The photos of the
 * others take at most twice as long as alone and none fails, and nothing else in the service is affected.
 *
 * The service runs unmodified: its resolver comes from an /etc/resolv.conf in a separate mount namespace, which requires root.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import sharp from 'sharp'
import { publishable } from '../../test/support/app/app.ts'
import { type DnsServer, serveDns } from '../../test/support/network/dns-server.ts'
import { type ApiResponse, ask } from '../support/ask.ts'
import { type Pictures, servePictures } from '../support/pictures.ts'
import { newService, type Service } from '../support/service.ts'

const writesOfEach = 8
const photosOfWrite = 10
/** A healthy source's delay per picture: photos wait for it rather than for this machine's CPU. */
const latencyMs = 300
/** The minimum number of slow downloads in progress for the measurement to count. */
const slowAtLeast = 4

const directory = mkdtempSync(join(tmpdir(), 'listings-slow-'))
const resolverFile = join(directory, 'resolv.conf')
const slowNow = new Set<ServerResponse>()
let healthy: Buffer
let resolver: DnsServer
let pictures: Pictures

before(async () => {
  healthy = await sharp({ create: { width: 160, height: 120, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
  // A loopback address of its own, because resolv.conf cannot contain a port.
  const address = `127.${[process.pid >> 8, process.pid].map((part) => part & 255).join('.')}.53`
  resolver = await serveDns({ '*': 'silent' }, address, 53)
  writeFileSync(resolverFile, `nameserver ${address}\n`)
  pictures = await servePictures((path, response) => {
    if (path.startsWith('/healthy')) setTimeout(() => response.end(named(path)), latencyMs)
    else dribble(path, response)
    return true
  })
})
after(async () => {
  await pictures.close()
  await resolver.close()
  rmSync(directory, { recursive: true })
})

/** The healthy picture with its path as a comment, so that each URL has a different one. */
function named(path: string): Buffer {
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, path.length + 2]), Buffer.from(path)])
  return Buffer.concat([healthy.subarray(0, 2), comment, healthy.subarray(2)])
}

function dribble(path: string, response: ServerResponse): void {
  slowNow.add(response)
  if (path.startsWith('/body')) response.writeHead(200, { 'content-type': 'image/jpeg' }).write('\xff')
  else response.socket?.write('HTTP/1.1 200 OK\r\n')
  const drip = setInterval(() => {
    if (path.startsWith('/body')) response.write('\xff')
    else response.socket?.write(`X-${randomUUID()}: 1\r\n`)
  }, 500)
  response.on('close', () => {
    slowNow.delete(response)
    clearInterval(drip)
  })
}

/** URLs of each slow kind in turn. */
function slowAddresses(count: number): string[] {
  const kinds = [
    (id: string) => `https://${id}.silent.example/1.jpg`,
    (id: string) => pictures.addresses(1, `headers-${id}`)[0] ?? '',
    (id: string) => pictures.addresses(1, `body-${id}`)[0] ?? '',
  ]
  return Array.from({ length: count }, (_, index) => kinds[index % kinds.length]?.(randomUUID()) ?? '')
}

async function send(url: string, key: string, path: string, body: object): Promise<ApiResponse> {
  const response = await ask(url, key, { method: 'POST', path, body, idempotencyKey: randomUUID() })
  assert.ok(response !== null)
  return response
}

/** Sends 300 URLs at once, in creations and batches, repeatedly until stopped. */
function sendSlowly(url: string, key: string): { statuses: number[]; end(): Promise<void> } {
  const statuses: number[] = []
  let goesOn = true
  const creation = () => send(url, key, '/properties', publishable({ photos: slowAddresses(50) }))
  const batch = () => {
    const item = () => ({ external_id: randomUUID(), photos: slowAddresses(6) })
    return send(url, key, '/properties/batch', { items: [item(), item(), item(), item(), item()] })
  }
  const sending = [creation, creation, creation, batch, batch, batch, batch, batch].map(async (write) => {
    while (goesOn) statuses.push((await write()).status)
  })
  return {
    statuses,
    async end() {
      goesOn = false
      await Promise.all(sending)
    },
  }
}

/** @returns how long the writes of one agency took */
async function sendHealthy(url: string, key: string, writes = writesOfEach): Promise<number> {
  const began = performance.now()
  for (let write = 0; write < writes; write += 1) {
    const photos = pictures.addresses(photosOfWrite, `healthy-${randomUUID()}`)
    const created = await send(url, key, '/properties', publishable({ photos }))
    assert.equal(created.status, 201, created.text)
    assert.deepEqual(created.body['warnings'], [])
  }
  return performance.now() - began
}

/** Sends requests without photos until stopped. @returns a function that returns the slowest response of each kind */
function keepRequesting(url: string, key: string): () => Promise<Record<string, number>> {
  const slowest: Record<string, number> = {}
  let goesOn = true
  const requesting = ['/api/v1/me', '/healthz/ready'].map(async (path) => {
    while (goesOn) {
      const began = performance.now()
      const headers = { 'x-api-key': key, 'user-agent': 'Chaos/1.0 (chaos@example.com)', connection: 'close' }
      const { status } = await fetch(`${url}${path}`, { headers })
      assert.equal(status, 200, path)
      slowest[path] = Math.max(slowest[path] ?? 0, performance.now() - began)
      await delay(50)
    }
  })
  return async () => {
    goesOn = false
    await Promise.all(requesting)
    return slowest
  }
}

for (const workers of ['1', '2']) {
  describe(`with WORKERS=${workers}`, () => {
    let service: Service
    const keys: string[] = []

    before(async () => {
      const inNamespace = 'mount --bind "$0" /etc/resolv.conf && exec "$@"'
      service = await newService(
        { ...pictures.settings, WORKERS: workers },
        {
          command: [
            'unshare',
            '--mount',
            '--propagation',
            'private',
            'sh',
            '-c',
            inNamespace,
            resolverFile,
            process.execPath,
            'src/server.ts',
          ],
        },
      )
      await service.start()
      for (const slug of ['slow', 'one', 'two', 'three', 'four'])
        keys.push((await service.newAgency(slug)).key)
    })
    after(() => service.end())

    test('slow sources of one agency do not affect the others', async (context) => {
      const [slowKey = '', ...others] = keys.slice(0, 4)
      const { url } = service
      const alone: number[] = []
      for (const key of others) alone.push(await sendHealthy(url, key))

      const slow = sendSlowly(url, slowKey)
      while (slowNow.size < slowAtLeast || resolver.asked.length === 0) await delay(20)
      const stopRequesting = keepRequesting(url, slowKey)
      const together = await Promise.all(others.map((key) => sendHealthy(url, key)))
      assert.ok(slowNow.size > 0, 'nothing was slow afterwards')
      const slowest = await stopRequesting()

      const inSeconds = (all: number[]) => all.map((ms) => (ms / 1_000).toFixed(1)).join(', ')
      const inMs = Object.entries(slowest).map(([path, ms]) => `${path} ${Math.round(ms)} ms`)
      context.diagnostic(
        `${writesOfEach * photosOfWrite} photos of each: ${inSeconds(alone)} s alone, ${inSeconds(together)} s beside slow ones; ` +
          `slowest ${inMs.join(', ')}; ${resolver.asked.length} questions without an answer`,
      )
      for (const [index, ms] of together.entries())
        assert.ok(ms <= 2 * (alone[index] ?? 0), `${inSeconds(together)} s instead of ${inSeconds(alone)} s`)
      for (const [path, ms] of Object.entries(slowest)) assert.ok(ms < 2_000, `${path}: ${ms} ms`)

      await slow.end()
      // Responses only say that the photos are bad or that no slot was free.
      assert.deepEqual(
        slow.statuses.filter((status) => ![200, 422, 503].includes(status)),
        [],
      )
    })

    test('names without an answer block nothing, even when they fill all slots', async (context) => {
      const [fifth = '', ...four] = keys.toReversed()
      const { url } = service
      const before = resolver.asked.length
      const photos = () => Array.from({ length: 10 }, () => `https://${randomUUID()}.silent.example/1.jpg`)
      const creation = (key: string) => send(url, key, '/properties', publishable({ photos: photos() }))
      const stopRequesting = keepRequesting(url, fifth)
      const silent = four.flatMap((key) => [creation(key), creation(key)])
      // Lookups of A and AAAA for 16 names, before the first times out: none waits for another.
      const questions = () => new Set(resolver.asked.slice(before)).size
      while (questions() === 0) await delay(20)
      for (let tries = 0; questions() < 32 && tries < 200; tries += 1) await delay(20)
      assert.ok(questions() >= 32, `${questions()} questions at a time`)
      const took = await sendHealthy(url, fifth, 1)
      const responses = await Promise.all(silent)
      const slowest = await stopRequesting()
      context.diagnostic(
        `a fifth agency's ${photosOfWrite} photos took ${Math.round(took)} ms, ` +
          Object.entries(slowest)
            .map(([path, ms]) => `${path} ${Math.round(ms)} ms at most`)
            .join(', '),
      )
      for (const [path, ms] of Object.entries(slowest)) assert.ok(ms < 2_000, `${path}: ${ms} ms`)
      for (const { status, text } of responses) assert.ok(status === 422 || status === 503, text)
      assert.ok(responses.some(({ text }) => text.includes('The DNS lookup of the host took too long.')))
    })
  })
}

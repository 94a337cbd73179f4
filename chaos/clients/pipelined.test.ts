/**
 * Clients that pipeline thousands of requests and read no response take little of the process's memory, and little of the time of a
 * well-behaved agency.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { after, before, describe, test, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { ask, type Write } from '../support/ask.ts'
import { compareWithQuiet, type Visit } from '../support/bystander.ts'
import { newService, type Service } from '../support/service.ts'

/** The process may grow by this much during an attack. Without a limit it grows by gigabytes. */
const maxGrowthMb = 250
const sampleMs = 100

let service: Service
let visits: readonly Visit[]
let slug: string
before(async () => {
  // The heap limit of `npm start`.
  service = await newService({ DEMO: 'on', NODE_OPTIONS: '--max-old-space-size=512' })
  await service.start()
  const { key } = await service.newAgency('bystander')
  slug = /inmobiliarias\/([a-z0-9-]+)/.exec(service.said())?.[1] ?? ''
  assert.notEqual(slug, '')
  // The first of these requests builds the document.
  for (let count = 0; count < 50; count += 1) await (await fetch(`${service.url}/api/v1/openapi.json`)).text()
  let turn = 0
  const visit = async (write: Write): Promise<string | null> => {
    const response = await ask(service.url, key, write)
    return response !== null && response.status < 300 ? null : `${write.method}: ${response?.status ?? 'cut'}`
  }
  visits = [
    () => visit({ method: 'GET', path: `/properties?status=all&page=${1 + (turn++ % 3)}` }),
    () =>
      visit({ method: 'PUT', path: `/properties/external/b${turn % 10}`, body: { title: `Casa ${turn++}` } }),
    () => visit({ method: 'GET', path: '/me' }),
  ]
})
after(() => service.end())

const request = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nhost: listings.example\r\nuser-agent: Chaos/1.0 (chaos@example.com)\r\n\r\n`

describe('pipelined requests whose responses are never read', () => {
  test('8 connections with 2,000 for the API description each', (context) => {
    const text = request('/api/v1/openapi.json').repeat(2_000)
    return bounded(context, () => compareWithQuiet(context, visits, async () => attack(8, text)))
  })

  test('8 connections with 2,000 for a sitemap or an agency’s page each', (context) => {
    const text = (request(`/sitemap-${slug}-1.xml`) + request(`/inmobiliarias/${slug}`)).repeat(1_000)
    return bounded(context, () => compareWithQuiet(context, visits, async () => attack(8, text)))
  })

  test('300 connections with 64 KB of the shortest requests each', async (context) => {
    // Node parses what it has read before it can be stopped: a million requests.
    const shortest = 'GET / HTTP/1.1\r\n\r\n'
    await bounded(context, async () => {
      const began = performance.now()
      const stop = attack(300, shortest.repeat(65_536 / shortest.length), 'once')
      for (let count = 1; count <= 10; count += 1) {
        await delay(500)
        const health = await ask(service.url, '', { method: 'GET', path: '/health' })
        assert.equal(health?.status, 200)
      }
      context.diagnostic(`10 requests of another client took ${Math.round(performance.now() - began)} ms`)
      await stop()
    })
  })
})

/**
 * Keeps the given number of connections open, each of which sends the text at once and reads nothing.
 * @returns a function that ends the attack
 */
function attack(count: number, text: string, mode: 'once' | 'again' = 'again'): () => Promise<void> {
  const { hostname, port } = new URL(service.url)
  const sockets = new Set<Socket>()
  const open = (): void => {
    const socket = connect({ host: hostname, port: Number(port) })
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('connect', () => socket.write(text))
    socket.once('close', () => {
      if (sockets.delete(socket) && mode === 'again') setImmediate(open)
    })
  }
  for (let opened = 0; opened < count; opened += 1) open()
  return async () => {
    const last = [...sockets]
    sockets.clear()
    for (const socket of last) socket.destroy()
  }
}

/** Prints the growth of the process during the work, and fails if it is too large. */
async function bounded(context: TestContext, work: () => Promise<unknown>): Promise<void> {
  const before = residentMb()
  let most = before
  const sampling = setInterval(() => (most = Math.max(most, residentMb())), sampleMs)
  await work().finally(() => {
    clearInterval(sampling)
    context.diagnostic(`resident memory: ${Math.round(before)} MB before, ${Math.round(most)} MB at most`)
  })
  assert.ok(most - before <= maxGrowthMb, `it grew by ${Math.round(most - before)} MB`)
}

function residentMb(): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid()}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1_024
}

/** Looking up the names of photo sources, on a local name server. */
import assert from 'node:assert/strict'
import { lookup as systemLookup } from 'node:dns/promises'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { dnsLookup, type HostLookup, NoDnsAnswer, oncePerWrite } from '../../../src/listings/photos/dns.ts'
import { databaseClock } from '../../../src/platform/time/clock.ts'
import { openDownloader } from '../../../src/listings/photos/download.ts'
import { type DnsServer, serveDns, type Zone } from '../../support/network/dns-server.ts'
import { failure, nothing } from './picture-server.ts'

const never = new AbortController().signal
const long = 60_000

let server: DnsServer
let zone: Zone
beforeEach(async () => {
  zone = {
    'both.example': ['93.184.216.34', '93.184.216.35', '2606:4700::1111'],
    'four.example': ['93.184.216.34'],
    'six.example': ['2606:4700::1111'],
    'half.example': ['93.184.216.34'],
    'AAAA half.example': 'silent',
    'silent.example': 'silent',
  }
  server = await serveDns(zone)
})
afterEach(() => server.close())
const lookupWithin = (limitMs: number): HostLookup => dnsLookup({ servers: [server.host], limitMs })

describe('dnsLookup', () => {
  test('returns the IPs of both kinds', async () => {
    const lookup = lookupWithin(long)
    assert.deepEqual(await lookup('both.example', never), [
      '93.184.216.34',
      '93.184.216.35',
      '2606:4700::1111',
    ])
    assert.deepEqual(await lookup('four.example', never), ['93.184.216.34'])
    assert.deepEqual(await lookup('six.example', never), ['2606:4700::1111'])
    assert.deepEqual(await lookup('unknown.example', never), [])
    assert.ok(server.asked.includes('A four.example') && server.asked.includes('AAAA four.example'))
  })

  test('uses DNS only, and not the other sources of this machine', async () => {
    assert.notEqual((await systemLookup('localhost')).address, '')
    assert.deepEqual(await lookupWithin(long)('localhost', never), [])
  })

  test('times out without an answer, and uses answers that arrived by then', async () => {
    await assert.rejects(lookupWithin(50)('silent.example', never), NoDnsAnswer)
    assert.deepEqual(await lookupWithin(50)('half.example', never), ['93.184.216.34'])
    const { host } = server
    await server.close()
    await assert.rejects(dnsLookup({ servers: [host] })('four.example', never), NoDnsAnswer)
    server = await serveDns(zone)
  })

  test('stops when aborted', async () => {
    const controller = new AbortController()
    const looking = lookupWithin(long)('silent.example', controller.signal)
    controller.abort(new Error('enough'))
    await assert.rejects(looking, { message: 'enough' })
  })

  test('does not block other work of the process, however many names never answer', async () => {
    const controller = new AbortController()
    const looking = Array.from({ length: 64 }, (_, index) => {
      zone[`silent-${index}.example`] = 'silent'
      return lookupWithin(long)(`silent-${index}.example`, controller.signal)
    })
    while (server.asked.length < 64) await new Promise((resolve) => setImmediate(resolve))
    // This one needs a thread.
    assert.notEqual((await systemLookup('localhost')).address, '')
    controller.abort(new Error('enough'))
    for (const { reason } of await Promise.allSettled(looking).then((all) => all as PromiseRejectedResult[]))
      assert.equal((reason as Error).message, 'enough')
  })
})

describe('oncePerWrite', () => {
  const countedLookup = () => {
    const asked: string[] = []
    const lookup: HostLookup = async (hostname) => {
      asked.push(hostname)
      if (hostname.startsWith('silent')) throw new NoDnsAnswer('silent')
      return hostname.startsWith('missing') ? [] : ['93.184.216.34']
    }
    return { asked, lookup }
  }

  test('looks a name up once per write, even concurrently, and again for the next write', async () => {
    const { asked, lookup } = countedLookup()
    const names = oncePerWrite(lookup, databaseClock)
    const write = { payer: 'one' }
    const all = Array.from({ length: 50 }, () => names('photos.example', write, never))
    assert.deepEqual(new Set((await Promise.all(all)).flat()), new Set(['93.184.216.34']))
    await names('other.example', write, never)
    assert.deepEqual(asked, ['photos.example', 'other.example'])
    await names('photos.example', { payer: 'one' }, never)
    assert.equal(asked.length, 3)
  })

  test('does not repeat a lookup without an answer for half a minute, for that agency', async () => {
    const { asked, lookup } = countedLookup()
    const clock = { offsetMs: 0 }
    const names = oncePerWrite(lookup, clock)
    const ask = (hostname: string, payer: string) => names(hostname, { payer }, never)
    for (let time = 0; time < 2; time++) await assert.rejects(ask('silent.example', 'one'), NoDnsAnswer)
    assert.deepEqual(asked, ['silent.example'])
    await assert.rejects(ask('silent.example', 'other'), NoDnsAnswer)
    assert.equal(asked.length, 2)
    clock.offsetMs += 30_001
    await assert.rejects(ask('silent.example', 'one'), NoDnsAnswer)
    assert.equal(asked.length, 3)
    // A name without IPs is answered at once, and may exist a moment later.
    for (let time = 0; time < 2; time++) assert.deepEqual(await ask('missing.example', 'one'), [])
    assert.equal(asked.length, 5)
  })
})

describe('a download', () => {
  test('reports a lookup timeout, but not whether a name is private or missing', async () => {
    zone['inside.example'] = ['10.0.0.1']
    zone['inside6.example'] = ['93.184.216.34', 'fd12::1']
    const source = openDownloader({
      clock: databaseClock,
      serviceName: 'Svc',
      publicBaseUrl: 'https://listings.example',
      lookup: lookupWithin(200),
      openSocket: () => assert.fail('connected'),
    })
    const told = (name: string) => failure(source(`https://${name}.example/1.jpg`, nothing))
    assert.equal(await told('silent'), 'The DNS lookup of the host took too long.')
    for (const name of ['inside', 'inside6', 'missing'])
      assert.equal(await told(name), 'The host of the URL has no public IP address.')
  })
})

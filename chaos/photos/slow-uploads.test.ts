/**
 * Slow senders: four members of different agencies keep forms with photos open, sending a byte every 7 s, and open new ones whenever one is
 * closed. A fifth agency's uploads are as fast as on an idle service.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import sharp from 'sharp'
import { uploadBudgets } from '../../src/limits/sizes.ts'
import { ask } from '../support/ask.ts'
import { compareWithQuiet, timeBystander, type Visit } from '../support/bystander.ts'
import { membersOf, type SignedIn } from '../support/people.ts'
import { newService, type Service } from '../support/service.ts'

/** More than the slots of an agency, so that one always waits for a slot that others leave. */
const formsOfEach = 3
const dripMs = 7_000
const photosOfListing = 20

type Member = SignedIn & { key: string; listing: string }

let service: Service
let attackers: Member[]
let bystander: Member
before(async () => {
  service = await newService()
  await service.start()
  const agencies: { id: string; key: string }[] = []
  for (const slug of ['one', 'two', 'three', 'four', 'bystander'])
    agencies.push(await service.newAgency(slug))
  const people = await membersOf(
    service,
    agencies.map(({ id }) => id),
  )
  const members = await Promise.all(
    people.map(async (person, index) => {
      const key = agencies[index]?.key ?? ''
      return { ...person, key, listing: await newListing(key) }
    }),
  )
  attackers = members.slice(0, 4)
  bystander = members[4] ?? assert.fail()
})
after(() => service.end())

async function newListing(key: string): Promise<string> {
  const body = { title: 'Casa', external_id: randomUUID() }
  const created = await ask(service.url, key, {
    method: 'POST',
    path: '/properties',
    body,
    idempotencyKey: randomUUID(),
  })
  assert.equal(created?.status, 201, created?.text)
  return String(created?.body.data['id'])
}

/** Sends photos in turn to listings that have room. */
async function uploads(person: Member): Promise<Visit> {
  const picture = await sharp({ create: { width: 160, height: 120, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
  let sent = 0
  let listing = newListing(person.key)
  return async () => {
    sent += 1
    if (sent % photosOfListing === 0) listing = newListing(person.key)
    const comment = Buffer.from(randomUUID())
    const marked = Buffer.concat([
      picture.subarray(0, 2),
      Buffer.from([0xff, 0xfe, 0, comment.length + 2]),
      comment,
      picture.subarray(2),
    ])
    const form = new FormData()
    form.append('_csrf', person.csrf)
    form.append('photo', new File([marked], 'a.jpg'))
    const response = await fetch(`${service.url}/dashboard/listings/${await listing}/photos`, {
      method: 'POST',
      headers: { cookie: person.cookie, accept: 'application/json' },
      body: form,
    })
    const result = (await response.json()) as { status?: string; error?: { code: string } }
    if (result.status === 'stored') return null
    return `${response.status} ${result.status ?? result.error?.code}`
  }
}

function looks(person: Member): Visit {
  return async () => {
    const response = await fetch(`${service.url}/dashboard/listings/${person.listing}/photos`, {
      headers: { cookie: person.cookie },
    })
    await response.text()
    return response.status === 200 ? null : String(response.status)
  }
}

/**
 * Keeps forms open that send part of their file at once and then a byte at a time.
 * @returns a function that ends them, and the number cut off
 */
async function drip(people: readonly Member[], atOnce: number) {
  const { hostname, port } = new URL(service.url)
  const open = new Set<Socket>()
  let isOver = false
  let ended = 0
  const begin = (person: Member): void => {
    const boundary = 'xBOUNDARYx'
    const part = (rest: string) => `--${boundary}\r\nContent-Disposition: form-data; ${rest}`
    const head = [
      `POST /dashboard/listings/${person.listing}/photos HTTP/1.1`,
      `host: ${hostname}:${port}`,
      `cookie: ${person.cookie}`,
      `content-type: multipart/form-data; boundary=${boundary}`,
      'content-length: 5000000',
      '',
      `${part('name="_csrf"')}\r\n\r\n${person.csrf}`,
      `${part('name="photo"; filename="a.jpg"')}\r\n\r\n`,
    ].join('\r\n')
    const socket = connect(Number(port), hostname, () => socket.write(`${head}${'x'.repeat(atOnce)}`))
    const dripping = setInterval(() => socket.write('x'), dripMs)
    open.add(socket)
    socket.on('error', () => {})
    socket.on('data', () => socket.end())
    socket.on('close', () => {
      clearInterval(dripping)
      open.delete(socket)
      if (isOver) return
      ended += 1
      begin(person)
    })
  }
  for (const person of people) for (let form = 0; form < formsOfEach; form += 1) begin(person)
  // Waits until all have the slots that they can get.
  await delay(1_500)
  return {
    ended: () => ended,
    async stop() {
      isOver = true
      for (const socket of open) socket.destroy()
    },
  }
}

describe('uploads while four members of other agencies send slowly', () => {
  test('are as fast as alone when a byte arrives every 7 s', async (context) => {
    const visits = [await uploads(bystander), looks(bystander), looks(bystander)]
    await compareWithQuiet(context, visits, async () => (await drip(attackers, 1)).stop, 20)
  })

  test('are never refused when senders without a slot deliver all their data at once', async (context) => {
    const dripping = await drip(attackers, uploadBudgets.firstBytes)
    const visits = [await uploads(bystander), looks(bystander), looks(bystander)]
    const figures = await timeBystander(visits, 10).finally(dripping.stop)
    context.diagnostic(
      `p50 ${figures.p50} ms, p99 ${figures.p99} ms, slowest ${figures.slowest} ms; ${dripping.ended()} slow ones were ended`,
    )
    assert.deepEqual([...new Set(figures.refused)], [])
    assert.ok(dripping.ended() > 0)
  })
})

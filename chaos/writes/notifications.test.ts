/**
 * Workers are killed in the middle of deliveries to an unreliable marketplace and a mail server: every change of state arrives at least
 * once, and in order within each listing.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type MailSink,
  mailSink,
  type MarketplaceSink,
  marketplaceSink,
  partsOf,
} from '../../test/delivery/notifications/sinks.ts'
import { until } from '../../test/support/until.ts'
import { ask } from '../support/ask.ts'
import { type Pictures, servePictures } from '../support/pictures.ts'
import { newService, type Service } from '../support/service.ts'

const kills = 20
const listings = 12
/** Events that arrive before each kill. */
const eventsBeforeKill = 15
const root = join(import.meta.dirname, '..', '..')

type Delivered = {
  action: string
  notification?: { event_id: string; sequence: number; deliveries: { channel: string; state: string }[] }
}

let service: Service
let pictures: Pictures
let marketplace: MarketplaceSink
let mail: MailSink
let key: string
let settings: Record<string, string>
const workers: ChildProcess[] = []
/** Code → title. */
const titles = new Map<string, string>()

before(async () => {
  marketplace = await marketplaceSink()
  mail = await mailSink()
  pictures = await servePictures()
  settings = {
    SMTP_URL: mail.url,
    MAIL_FROM: 'chaos@listings.test',
    MARKETPLACE_URL: marketplace.url,
    MARKETPLACE_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
    SECRET_KEY: randomBytes(16).toString('hex'),
    ...pictures.settings,
    GEOCODER: 'none',
    LIMITS: JSON.stringify({
      writes_per_minute: 1e6,
      writes_per_day: 1e6,
      state_changes_per_day: 1e6,
      enables_per_day: 1e6,
      disables_per_day: 1e6,
    }),
  }
  service = await newService({ ...settings, WORKER: 'off' })
  await service.start()
  await service.svc('agency', 'create', '--name', 'Chaos', '--slug', 'chaos', '--email', 'a@chaos.example')
  const words = ['--agency', 'chaos', '--name', 'chaos', '--scope', 'properties:write']
  key = (await service.svc('key', 'create', ...words))['key'] ?? ''
  for (let index = 0; index < listings; index += 1) await publish(`Casa ${randomBytes(8).toString('hex')}`)
})
after(async () => {
  for (const worker of workers) worker.kill('SIGKILL')
  await service.end()
  await marketplace.close()
  await mail.close()
  await pictures.close()
})

async function send(method: string, path: string, body: object): Promise<string> {
  const idempotencyKey = randomBytes(12).toString('hex')
  const created = await ask(service.url, key, { method, path, body, idempotencyKey })
  assert.ok(created !== null && created.status < 300, created?.text)
  return String(created.body.data['id'])
}

async function publish(title: string): Promise<void> {
  const id = await send('POST', '/properties', {
    title,
    type: 'Casa',
    operation: 'sale',
    address: 'Calle sin número',
    location: { city: 'La Plata', province: 'Buenos Aires', lat: -34.92, lng: -57.95 },
    price: { on_request: true },
    photos: pictures.addresses(3, title.slice(5)),
    status: 'published',
  })
  titles.set(id, title)
}

/** Suspends and publishes the listing repeatedly. */
async function toggle(id: string, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await send('POST', `/properties/${id}/disable`, {})
    await send('POST', `/properties/${id}/enable`, {})
    await pause(500)
  }
}

async function startWorker(): Promise<void> {
  const worker = spawn(process.execPath, ['src/worker.ts'], {
    cwd: root,
    env: { ...process.env, ...settings, DATA_DIR: service.dataDir, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  workers.push(worker)
  let said = ''
  await new Promise<void>((resolve, reject) => {
    worker.stderr?.on('data', (piece: Buffer) => {
      said += piece.toString()
      if (said.includes(' is running.')) resolve()
    })
    worker.once('exit', (code) => reject(new Error(`the worker ended with ${code}: ${said}`)))
  })
}

async function killWorker(): Promise<void> {
  const worker = workers.shift()
  if (worker === undefined) return
  const exited = once(worker, 'exit')
  worker.kill('SIGKILL')
  await exited
}

test(`${kills} kills of workers lose nothing and change no order`, { timeout: 900_000 }, async () => {
  let count = 0
  marketplace.respondWith((_event, response) => {
    count += 1
    if (count % 7 === 0) response.writeHead(500).end()
    else if (count % 11 === 0) response.destroy()
    else if (count % 3 === 0) setTimeout(() => response.writeHead(200).end(), 40)
    else response.writeHead(204).end()
  })
  await startWorker()
  await startWorker()
  let isOver = false
  const writing = [...titles.keys()].map((id) => toggle(id, () => isOver))
  for (let kill = 1; kill <= kills; kill += 1) {
    const enough = marketplace.received.length + eventsBeforeKill
    await until(() => marketplace.received.length >= enough)
    await killWorker()
    await startWorker()
  }
  isOver = true
  await Promise.all(writing)
  marketplace.respondWith((_event, response) => void response.writeHead(204).end())
  await until(async () => {
    const channels = (await service.svc('notification', 'status')) as unknown as { pending: number }[]
    return channels.every(({ pending }) => pending === 0)
  })

  const mails = mail.received.map((one) => partsOf(one).text).join('\n')
  let events = 0
  for (const [id, title] of titles) {
    const words = ['--agency', 'chaos', '--id', id]
    const history = (await service.svc('listing', 'history', ...words)) as unknown as Delivered[]
    const told = history.flatMap(({ notification }) => notification ?? [])
    assert.deepEqual(
      told.map(({ sequence }) => sequence),
      told.map((_, index) => index + 1),
    )
    for (const { deliveries } of told)
      assert.deepEqual(
        deliveries.map(({ state }) => state),
        ['delivered', 'delivered'],
      )
    const arrived = marketplace.received.filter(({ data }) => data.listing.id === id)
    assert.deepEqual(
      [...new Set(arrived.map((event) => event.id))],
      told.map(({ event_id }) => event_id),
      'every event arrives, and no later event before it',
    )
    for (const [index, { data }] of arrived.entries()) {
      const before_ = arrived[index - 1]?.data.sequence ?? 0
      assert.ok(data.sequence === before_ || data.sequence === before_ + 1, 'repeats precede the next event')
    }
    for (const word of ['Publicada', 'Suspendida']) {
      const written = mails.split(`${word}: ${title}`).length - 1
      const changes = history.filter(({ action }) =>
        (word === 'Suspendida' ? ['disabled'] : ['created', 'published']).includes(action),
      )
      assert.ok(written >= changes.length, `${title} ${word}: ${written} of ${changes.length} by mail`)
    }
    events += told.length
  }
  process.stdout.write(
    `${events} events, ${marketplace.received.length} requests, ${mail.received.length} mails\n`,
  )
})

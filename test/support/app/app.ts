/**
 * The application on its own database, called over real HTTP. Every JSON response is checked against its endpoint's schema, so that no test
 * passes on an undocumented response.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { ClientConfig } from 'pg'
import { pino } from 'pino'
import sharp from 'sharp'
import { Compile } from 'typebox/compile'
import { type Dispatcher, request } from 'undici'
import { createAgency, type Agency } from '../../../src/agencies/agencies.ts'
import { endpoints } from '../../../src/api/endpoints.ts'
import { closeDeps, composeDeps } from '../../../src/compose.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import type { Clock } from '../../../src/platform/time/clock.ts'
import type { Deps } from '../../../src/deps.ts'
import { geocoderOf } from './geocoder.ts'
import {
  type Geocoder,
  noGeocoder,
  type Pin,
  type PostalAddress,
} from '../../../src/listings/geocoding/geocoder.ts'
import { apiPrefix } from '../../../src/http/routes.ts'
import { createKey, type KeyInput, type NewKey } from '../../../src/access/keys/keys.ts'
import { defaultLimits, type LimitName } from '../../../src/limits/table.ts'
import type { Mail, Mailer } from '../../../src/delivery/mails/mailer.ts'
import type { Marketplace } from '../../../src/delivery/notifications/courier/marketplace.ts'
import { PhotoFailure } from '../../../src/listings/photos/failure.ts'
import { type Picture, readPicture } from '../../../src/listings/photos/image.ts'
import type { PhotoDownloader } from '../../../src/listings/photos/download.ts'
import { openServer } from '../../../src/operations/processes/listen.ts'
import { testDatabase } from '../database/database.ts'
import { quickDirectory } from '../quick-directory.ts'
import { wideLimits } from '../wide-limits.ts'

/** All limits except those of geocoding and enquiries. */
const raised = (Object.keys(defaultLimits) as LimitName[]).filter(
  (name) => !/^(geocoding|enquiries)_/.test(name),
)

export type TestAppOptions = {
  /** Environment variables. */
  env?: Record<string, string>
  /** Limits by name; all others are high. */
  limits?: Record<string, number>
  /** By default it finds no place. A function returns the pin, or null. */
  geocoder?: Geocoder | ((place: PostalAddress) => Promise<Pin | null>)
  /** Fetches a photo URL. By default each `https://photos.example/<anything>` returns its own picture, and `…/missing…` fails. */
  source?: PhotoDownloader
  /** By default mail is not configured. A list collects the mails sent. */
  mailer?: Mailer | Mail[]
  /** By default there is no marketplace. */
  marketplace?: Marketplace
}

export type ApiResponse = {
  status: number
  headers: Headers
  // Typed loosely: the schema check verifies bodies.
  body: Record<string, never> & { data: Record<string, never>; error: Record<string, never> }
  text: string
}

export type Ask = {
  /** A key, or null to send none. */
  key?: string | null
  body?: unknown
  /** The raw body, instead of `body`. */
  raw?: string | Uint8Array
  headers?: Record<string, string>
}

export type TestApp = {
  app: FastifyInstance
  deps: Deps
  clock: Clock
  baseUrl: string
  agency: Agency
  /** Keys of `agency`. */
  readKey: string
  writeKey: string
  /** The connection to its database. */
  connection: ClientConfig
  /** Another agency, with its own keys. */
  other: { agency: Agency; readKey: string; writeKey: string }
  newAgency(): Promise<{ agency: Agency; readKey: string; writeKey: string }>
  newKey(agencyId: string, input?: Partial<KeyInput>): Promise<NewKey>
  /** Sends a request to `/api/v1` + path. POSTs get a fresh Idempotency-Key unless one is given (`''` for none). */
  ask(method: string, path: string, ask?: Ask): Promise<ApiResponse>
  close(): Promise<void>
}

/** Starts the application. Call `close` in `after`. If the start fails, everything is closed, so that the process can end. */
export async function testApp(options: TestAppOptions = {}): Promise<TestApp> {
  await using opening = new AsyncDisposableStack()
  const database = opening.adopt(await testDatabase({ poolSize: 10 }), ({ drop }) => drop())
  const dataDir = opening.adopt(mkdtempSync(join(quickDirectory(), 'listings-app-')), (directory) =>
    rmSync(directory, { recursive: true, force: true }),
  )
  const config = readConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: dataDir,
    SECRET_KEY: 'a secret of the tests, long enough',
    PUBLIC_BASE_URL: 'https://listings.test',
    LOG_LEVEL: 'silent',
    DEMO: 'off',
    LIMITS: JSON.stringify({ ...wideLimits(raised), ...options.limits }),
    ...options.env,
  })
  const clock: Clock = { offsetMs: 0 }
  const log = pino({ level: config.logLevel })
  const { geocoder = noGeocoder, source = drawnSource, mailer = null, marketplace = null } = options
  const deps = await composeDeps(config, database.db, log, {
    clock,
    geocoder: toGeocoder(geocoder),
    download: source,
    mailer: Array.isArray(mailer) ? keptIn(mailer) : mailer,
    marketplace,
  })
  deps.photos.read = (bytes, ...more) =>
    drawings.has(bytes) ? (drawnSizes ??= readPicture(bytes)) : readPicture(bytes, ...more)
  opening.defer(() => closeDeps(deps))
  const server = await openServer(deps, log)
  opening.defer(server.stop)
  await server.listen()
  const { port } = server.app.server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}`

  const newKey: TestApp['newKey'] = (agencyId, input = {}) =>
    createKey(
      deps.db,
      agencyId,
      { name: 'test', ...input },
      { secretBox: deps.secretBox, clock, serviceName: config.serviceName },
    )
  const newAgency: TestApp['newAgency'] = async () => {
    const slug = `agency-${randomUUID().slice(0, 8)}`
    const agency = await createAgency(deps.db, { name: `Agency ${slug}`, slug, email: null }, clock)
    // In turn, because two at a time would open two more connections, which cost more than the keys.
    const { key: readKey } = await newKey(agency.id, { scopes: ['properties:read'] })
    const { key: writeKey } = await newKey(agency.id, { scopes: ['properties:write'] })
    return { agency, readKey, writeKey }
  }
  const own = await newAgency()
  const other = await newAgency()
  const open = opening.move()
  return {
    app: server.app,
    deps,
    clock,
    connection: database.connection,
    baseUrl,
    ...own,
    other,
    newAgency,
    newKey,
    ask: (method, path, ask = {}) => send(baseUrl, own.writeKey, method, path, ask),
    close: () => open.disposeAsync(),
  }
}

const keptIn = (mails: Mail[]): Mailer => ({
  send: async (mail) => void mails.push(mail),
  check: async () => {},
})

function toGeocoder(given: NonNullable<TestAppOptions['geocoder']>): Geocoder {
  if (typeof given !== 'function') return given
  return geocoderOf(async (place) => {
    const pin = await given(place)
    return pin === null ? { status: 'none' } : { status: 'found', pin }
  })
}

/** The headers of a response of undici's `request`. */
export function headersOf({ headers }: Pick<Dispatcher.ResponseData, 'headers'>): Headers {
  const received = new Headers()
  for (const [name, values = []] of Object.entries(headers))
    for (const value of [values].flat()) received.append(name, value)
  return received
}

/** Sends a request to an instance of the application; see `TestApp.ask`. */
export async function send(
  baseUrl: string,
  defaultKey: string,
  method: string,
  path: string,
  ask: Ask,
): Promise<ApiResponse> {
  const headers = new Headers({ 'user-agent': 'ListingTests/1.0 (tests@example.com)' })
  const key = ask.key === undefined ? defaultKey : ask.key
  if (key !== null) headers.set('x-api-key', key)
  const body = ask.raw ?? (ask.body === undefined ? undefined : JSON.stringify(ask.body))
  if (body !== undefined) headers.set('content-type', 'application/json')
  if (method === 'POST') headers.set('idempotency-key', randomUUID())
  for (const [name, value] of Object.entries(ask.headers ?? {})) {
    if (value === '') headers.delete(name)
    else headers.set(name, value)
  }
  // `fetch` takes twice the CPU time.
  const raw = await request(`${baseUrl}${apiPrefix}${path}`, {
    method: method as Dispatcher.HttpMethod,
    headers,
    body: body ?? null,
  })
  const text = await raw.body.text()
  const received = headersOf(raw)
  const isJson = received.get('content-type')?.startsWith('application/json') === true
  const response = {
    status: raw.statusCode,
    headers: received,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : {},
  }
  checkResponse(method, path, response)
  return response
}

const schemaChecks = new Map<string, ReturnType<typeof Compile>>()

/** Checks a response against the contract: error envelope, common headers, the endpoint's schema. */
function checkResponse(method: string, path: string, { status, headers, body, text }: ApiResponse): void {
  const where = `${method} ${path} → ${status} ${text.slice(0, 300)}`
  for (const name of ['x-request-id', 'x-svc-notice', 'link'])
    assert.ok(headers.get(name), `${name} of ${where}`)
  if (status === 304 || method === 'HEAD') return assert.equal(text, '', where)
  if (status >= 400) {
    assert.equal(typeof body.error.code, 'string', where)
    assert.equal(typeof body.error.message, 'string', where)
    assert.equal(body.error.request_id, headers.get('x-request-id'), where)
    assert.equal(typeof (body as Record<string, unknown>)['notice'], 'string', where)
    checkError(body.error, status, where)
    return
  }
  const { results = [] } = body as { results?: { status: number; error?: Record<string, unknown> }[] }
  for (const item of results) if (item.error !== undefined) checkError(item.error, item.status, where)
  const below = path.split('?', 1)[0] ?? ''
  const endpoint = endpoints.find(
    (candidate) =>
      candidate.method === method &&
      new RegExp(`^${candidate.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(below || '/'),
  )
  const schema = endpoint?.responses[status]?.schema
  assert.ok(endpoint !== undefined && schema !== undefined, `undescribed response: ${where}`)
  const name = `${endpoint.operationId} ${status}`
  const check = schemaChecks.get(name) ?? Compile(schema)
  schemaChecks.set(name, check)
  assert.ok(check.Check(body), `${where}\n${JSON.stringify([...check.Errors(body)].slice(0, 3))}`)
}

/** Checks the members that an error must have according to its code, in a response or in an item of a batch. */
function checkError(error: Readonly<Record<string, unknown>>, status: number, where: string): void {
  const { code, message, parameter, errors, limits, docs } = error
  assert.ok(String(docs).endsWith(`/docs/errors#${code}`), where)
  if (code === 'invalid_parameter') {
    const all = errors as { parameter: string; message: string }[]
    assert.deepEqual(all[0], { parameter, message }, where)
    assert.equal(new Set(all.map((entry) => JSON.stringify(entry))).size, all.length, where)
    assert.ok(all.length <= 20, where)
  } else assert.equal(errors, undefined, where)
  if (status === 429) {
    const named = String(message).match(/\w+_per_(minute|hour|day)/g) ?? []
    assert.ok(named.length > 0, where)
    assert.deepEqual(new Set(limits as string[]), new Set(named), where)
  } else assert.equal(limits, undefined, where)
}

const drawn = new Map<string, Promise<Buffer>>()
/** Pictures made by `picture`, decoded once for all tests because decoding takes ten times as long as the rest of a creation. */
const drawings = new WeakSet<Uint8Array>()
let drawnSizes: Promise<Picture> | undefined

/** Always returns the same picture for a URL. */
const drawnSource: PhotoDownloader = async (address) => {
  if (address.includes('missing')) throw new PhotoFailure('The source answered 404.')
  const known = drawn.get(address) ?? picture(address)
  drawn.set(address, known)
  return known
}

/** A small JPEG that differs by its seed. */
export async function picture(seed: string): Promise<Buffer> {
  const [r = 0, g = 0, b = 0] = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(seed)))
  const bytes = await sharp({ create: { width: 48, height: 32, channels: 3, background: { r, g, b } } })
    .withExif({ IFD0: { ImageDescription: seed.slice(0, 60) } })
    .jpeg()
    .toBuffer()
  drawings.add(bytes)
  return bytes
}

/** `count` URLs of different pictures. */
export function photoUrls(count: number, name: string = randomUUID()): string[] {
  return Array.from({ length: count }, (_, index) => `https://photos.example/${name}-${index}.jpg`)
}

/** A unique street and number. One long word, because digits and short words may parse as other parts. */
export function freshAddress(): string {
  const name = randomUUID().replaceAll('-', '').slice(0, 16)
  return `Calle ${name.replaceAll(/./g, (digit) => 'bcdfghjklmnpqrst'[Number.parseInt(digit, 16)] ?? '')} 123`
}

/** A payload that can be published. */
export function publishable(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    title: 'Casa con jardín',
    type: 'Casa',
    operation: 'sale',
    address: freshAddress(),
    location: { city: 'La Plata', province: 'Buenos Aires', lat: -34.92, lng: -57.95 },
    price: { amount: 100_000, currency: 'USD' },
    photos: photoUrls(3),
    status: 'published',
    ...changes,
  }
}

/**
 * The floor: the best that bare Fastify and pg can do for the same responses. It uses the same named statements over as many connections,
 * shapes rows by hand, and calls JSON.stringify. It has no keys, limits, validation or idempotency.
 */
import fastify, { type FastifyReply } from 'fastify'
import pg from 'pg'
import { createHash, randomUUID } from 'node:crypto'
import { newPublicId, uuidv7 } from '../../src/platform/names/ids.ts'
import { addressRulesVersion } from '../../src/listings/addresses/normalize.ts'
import { noContent } from '../../src/listings/fields/content.ts'
import { writtenColumns } from '../../src/listings/store/write-statements.ts'
import { listStatement, readStatement, type Statement } from './captured.ts'
import {
  changingShapes,
  mixedShapes,
  type NewListing,
  plainShape,
  searchShapes,
} from '../scenarios/shapes.ts'
import { reportCpu } from './report-cpu.ts'

const int8 = 20
const numeric = 1700
const timestamptz = 1184

const pool = new pg.Pool({
  connectionString: process.env['DATABASE_URL'],
  max: Number(process.env['DATABASE_POOL_SIZE'] ?? 10),
  types: {
    getTypeParser(oid: number, format?: 'text' | 'binary') {
      if (oid === int8 || oid === numeric) return Number
      if (oid === timestamptz) return isoTimestamp
      return pg.types.getTypeParser(oid, format)
    },
  },
})

/** `2026-11-20 09:30:00.5+00` → `2026-11-20T09:30:00.500Z`. */
function isoTimestamp(text: string): string {
  const moment = text.slice(11, -3)
  const fraction = moment.length === 8 ? '.000' : '0'.repeat(12 - moment.length)
  return `${text.slice(0, 10)}T${moment}${fraction}Z`
}

type Row = Record<string, unknown> & {
  features: Record<string, unknown>
  photos: string[]
  public_id: string
  operation: string
  total: number
}

const baseUrl = 'https://listings.example'
const agency = { name: 'Inmobiliaria', slug: 'bench', url: `${baseUrl}/inmobiliarias/bench` }

function shape(row: Row): object {
  const isRental = row.operation !== 'sale'
  const { features } = row
  return {
    id: row.public_id,
    external_id: row['external_id'],
    status: row['status'],
    url: `${agency.url}/${row.public_id}`,
    title: row['title'],
    description: row['description'],
    operation: row.operation,
    type: row['type'],
    price: {
      amount: row['price_amount'],
      currency: row['price_currency'],
      period: isRental ? row['price_period'] : undefined,
      on_request: row['price_on_request'],
    },
    expenses:
      row['expenses_amount'] === null
        ? null
        : { amount: row['expenses_amount'], currency: row['expenses_currency'] },
    address: row['address'],
    location: {
      city: row['city'],
      province: row['province'],
      neighborhood: null,
      lat: row['lat'],
      lng: row['lng'],
    },
    location_status: row['location_status'],
    features: {
      bedrooms: features['bedrooms'] ?? null,
      bathrooms: features['bathrooms'] ?? null,
      rooms: features['rooms'] ?? null,
      total_m2: features['total_m2'] ?? null,
      covered_m2: features['covered_m2'] ?? null,
      garages: features['garages'] ?? null,
      age_years: features['age_years'] ?? null,
      disposition: features['disposition'] ?? null,
      orientation: features['orientation'] ?? null,
      pet_friendly: features['pet_friendly'] ?? null,
      furnished: features['furnished'] ?? null,
      credit_eligible: features['credit_eligible'] ?? null,
    },
    amenities: row['amenities'],
    photos: row.photos.map(
      (photo) => `${baseUrl}/photos/${row['agency_id']}/${row.public_id}/${photo}/large.webp`,
    ),
    video_url: row['video_url'],
    video_urls: row['video_urls'],
    virtual_tour_url: row['virtual_tour_url'],
    rental: isRental
      ? { period: row['price_period'], min_stay: null, min_lease_months: null, services_included: [] }
      : null,
    reserved: row['reserved'],
    agency,
    published_at: row['published_at'],
    created_at: row['created_at'],
    updated_at: row['updated_at'],
  }
}

function json(reply: FastifyReply, text: string, status = 200): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').send(text)
}

const app = fastify()

type ListParams = { agency: string; shapes: string; shape: string; page: string }
const listShapes = {
  mixed: mixedShapes,
  search: searchShapes,
  plain: [plainShape],
  changing: changingShapes,
}
const lists = new Map<string, Statement & { name: string }>()
for (const [kind, shapes] of Object.entries(listShapes)) {
  for (const [index, listShape] of shapes.entries()) {
    for (let page = 1; page <= 10; page += 1) {
      const statement = await listStatement('', listShape, page)
      lists.set(`${kind}/${index}/${page}`, { ...statement, name: `${kind}${index}` })
    }
  }
}

app.get('/list/:agency/:shapes/:shape/:page', async (request, reply) => {
  const params = request.params as ListParams
  const page = Number(params.page)
  const { name, text, parameters } = lists.get(`${params.shapes}/${params.shape}/${page}`) as Statement & {
    name: string
  }
  const values = parameters
    .slice(1)
    .map((value) => (value === '__moment__' ? '1999-01-01T00:00:00.000Z' : value))
  const { rows } = await pool.query<Row>({ name, text, values: [params.agency, ...values] })
  const total = rows[0]?.total ?? 0
  const found = rows.filter((row) => row.public_id !== null)
  return json(
    reply,
    JSON.stringify({
      data: found.map(shape),
      meta: { page, per_page: 20, total, total_pages: Math.ceil(total / 20) },
      links: {
        self: `${baseUrl}/api/v1/properties?page=${page}&per_page=20`,
        next: `${baseUrl}/api/v1/properties?page=${page + 1}&per_page=20`,
        prev: null,
      },
    }),
  )
})

const read = await readStatement()
app.get('/read/:agency/:id', async (request, reply) => {
  const { agency: agencyId, id } = request.params as { agency: string; id: string }
  const { rows } = await pool.query<Row>({ name: 'read', text: read, values: [agencyId, id] })
  return json(reply, JSON.stringify({ data: shape(rows[0] as Row) }))
})

const revision = 'select revision from agency_revisions where agency_id = $1'
app.get('/revision/:agency', async (request, reply) => {
  const { agency: agencyId } = request.params as { agency: string }
  const { rows } = await pool.query({ name: 'revision', text: revision, values: [agencyId] })
  return reply.code(304).header('etag', `"${rows[0].revision}"`).send()
})

// Written plainly, with one statement per table, on the service's own columns.
const raise = `
  update agency_revisions
  set revision = revision + 1, changed_at = greatest(date_trunc('milliseconds', clock_timestamp()), changed_at + interval '1 ms')
  where agency_id = $1 returning revision, changed_at as at`
const insert = `
  insert into properties (${writtenColumns.join(', ')}) values (${writtenColumns.map((_, index) => `$${index + 1}`).join(', ')})`
const history = `
  insert into listing_history (agency_id, property_id, revision, at, action, actor_kind, actor_id, actor_name, request_id, changes)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
const keep = `
  insert into idempotency_keys (agency_id, key, request_hash, token, lease_until, expires_at, status, property_id, revision, rest)
  values ($1, $2, $3, $4, now(), now() + interval '24 hours', $5, $6, $7, $8)`
// The rows that the service writes in a creation's transaction, optionally without the response kept for a retry.
app.post('/create/:agency/:rows', async (request, reply) => {
  const { agency: agencyId, rows: wanted } = request.params as { agency: string; rows: 'same' | 'fewer' }
  const body = request.body as NewListing
  const id = uuidv7()
  const publicId = newPublicId()
  const client = await pool.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query({ name: 'raise', text: raise, values: [agencyId] })
    const { revision: version, at } = rows[0]
    const { city } = body.location
    const columns: Partial<Record<(typeof writtenColumns)[number], unknown>> = {
      ...noContent,
      agency_id: agencyId,
      id,
      public_id: publicId,
      external_id: body.external_id,
      version,
      status: 'draft',
      title: body.title,
      description: body.description,
      operation: body.operation,
      type: body.type,
      price_amount: body.price.amount,
      price_currency: body.price.currency,
      expenses_amount: body.expenses.amount,
      expenses_currency: body.expenses.currency,
      address: body.address,
      city,
      province: body.location.province,
      lat: body.location.lat,
      lng: body.location.lng,
      location_status: 'manual',
      features: body.features,
      amenities: body.amenities,
      photos: [],
      reserved: false,
      created_at: at,
      updated_at: at,
      city_folded: city.toLowerCase(),
      search_folded: `${body.title}\n${body.address}\n${city}`.toLowerCase(),
      street_key: body.address.toLowerCase(),
      city_key: city.toLowerCase(),
      address_rules: addressRulesVersion,
    }
    const values = writtenColumns.map((name) => columns[name] ?? null)
    await client.query({ name: 'insert', text: insert, values })
    await client.query({
      name: 'history',
      text: history,
      values: [agencyId, id, version, at, 'created', 'key', agencyId, 'bench', randomUUID(), {}],
    })
    const row = {
      ...body,
      photos: [],
      public_id: publicId,
      agency_id: agencyId,
      created_at: at,
      updated_at: at,
    }
    const text = JSON.stringify({ data: shape(row as unknown as Row), warnings: [] })
    if (wanted === 'same') {
      const hash = createHash('sha256').update(JSON.stringify(body)).digest()
      const key = request.headers['idempotency-key']
      const rest = { base_url: baseUrl, agency, warnings: [] }
      await client.query({
        name: 'keep',
        text: keep,
        values: [agencyId, key, hash, randomUUID(), 201, id, version, JSON.stringify(rest)],
      })
    }
    await client.query('commit')
    return json(reply, text, 201)
  } finally {
    client.release()
  }
})

await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
process.on('SIGTERM', () => process.exit(0))
reportCpu()

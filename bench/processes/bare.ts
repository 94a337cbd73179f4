/**
 * The bare handler: the service as a developer would write it on an ordinary day, with Fastify, `pg` and one table with three indexes. It
 * has no keys, limits, history, idempotency or cache, and is the baseline for everything that the service adds.
 */
import fastify from 'fastify'
import pg from 'pg'
import { randomUUID } from 'node:crypto'
import { newPublicId } from '../../src/platform/names/ids.ts'
import type { NewListing } from '../scenarios/shapes.ts'
import { reportCpu } from './report-cpu.ts'

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 })
const app = fastify()

const perPage = 20
const list = {
  name: 'list',
  text: `select *, count(*) over ()::int as total from bare_listings where agency_id = $1 and status = $2
    order by published_at desc, created_at desc limit ${perPage} offset $3`,
}
const read = { name: 'read', text: 'select * from bare_listings where agency_id = $1 and code = $2' }
const columns =
  `id, agency_id, code, external_id, status, title, description, operation, type, price_amount, price_currency,
  expenses_amount, expenses_currency, address, city, province, lat, lng, features, amenities, photos, published_at, created_at,
  updated_at`.split(/,\s+/)
const create = {
  name: 'create',
  text: `insert into bare_listings (${columns.join(', ')}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')})
    returning *`,
}

type Agency = { agency: string }

app.get('/agencies/:agency/listings', async (request) => {
  const { agency } = request.params as Agency
  const { status, page } = request.query as { status: string; page: string }
  const { rows } = await pool.query({ ...list, values: [agency, status, (Number(page) - 1) * perPage] })
  const total: number = rows[0]?.total ?? 0
  for (const row of rows) delete row.total
  return {
    data: rows,
    meta: { page: Number(page), per_page: perPage, total, total_pages: Math.ceil(total / perPage) },
  }
})

app.get('/agencies/:agency/listings/:code', async (request, reply) => {
  const { agency, code } = request.params as Agency & { code: string }
  const { rows } = await pool.query({ ...read, values: [agency, code] })
  return rows[0] === undefined ? reply.code(404).send({ error: 'not found' }) : { data: rows[0] }
})

app.post('/agencies/:agency/listings', async (request, reply) => {
  const { agency } = request.params as Agency
  const body = request.body as NewListing
  const { location, price, expenses } = body
  const now = new Date()
  const values = [
    randomUUID(),
    agency,
    newPublicId(),
    body.external_id,
    'draft',
    body.title,
    body.description,
    body.operation,
    body.type,
    price.amount,
    price.currency,
    expenses.amount,
    expenses.currency,
    body.address,
    location.city,
    location.province,
    location.lat,
    location.lng,
    body.features,
    JSON.stringify(body.amenities),
    '[]',
    null,
    now,
    now,
  ]
  const { rows } = await pool.query({ ...create, values })
  return reply.code(201).send({ data: rows[0] })
})

await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
process.on('SIGTERM', () => process.exit(0))
reportCpu()

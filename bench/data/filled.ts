/** A database with the benchmark's listings: filled now, or by an earlier run. */
import assert from 'node:assert/strict'
import pg from 'pg'
import { type BenchAgency, type DataSize, loadData } from './load-data.ts'
import { createdPrefix } from '../scenarios/shapes.ts'

/** Fills the database and the table of bare.ts, or restores the data of an earlier run. @returns the agencies, the large one last */
export async function filled(
  connection: pg.ClientConfig,
  size: DataSize,
  secretKey: string,
  print: (line: string) => void,
): Promise<BenchAgency[]> {
  const { agencies, isNew } = await loadOnce(connection, size, secretKey, print)
  if (!isNew) await removeCreated(connection)
  const client = new pg.Client(connection)
  await client.connect()
  await prepareBareTable(client)
  // Gives new rows their own pages. Otherwise the first thousands fill gaps left by rows of other sizes, each in another page, which is
  // then logged in full and no longer all-visible; neither lasts long in production.
  for (const table of ['properties', 'bare_listings'])
    await client.query(`alter table ${table} set (fillfactor = 80)`)
  await client.end()
  return agencies
}

/** Fills the database, or finds the data of an earlier run, with everything that has happened to it since. */
export async function loadOnce(
  connection: pg.ClientConfig,
  size: DataSize,
  secretKey: string,
  print: (line: string) => void,
): Promise<{ agencies: BenchAgency[]; isNew: boolean }> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query('create table if not exists bench_data (size jsonb, agencies jsonb)')
  const { rows } = await client.query<{ size: DataSize; agencies: BenchAgency[] }>('select * from bench_data')
  let agencies = rows[0]?.agencies
  if (rows[0] !== undefined)
    assert.deepEqual(rows[0].size, size, 'the database is filled with another number of listings')
  agencies ??= await loadData(connection, size, secretKey, print)
  if (rows.length === 0)
    await client.query('insert into bench_data values ($1, $2)', [size, JSON.stringify(agencies)])
  await client.end()
  return { agencies, isNew: rows.length === 0 }
}

/** Removes what earlier runs created. */
async function removeCreated(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  const created = `select agency_id, id from properties where starts_with(external_id, '${createdPrefix}')`
  await client.query(`delete from notification_events where (agency_id, property_id) in (${created})`)
  await client.query(`delete from notification_lanes where (agency_id, lane) in (${created})`)
  await client.query(`delete from listing_history where (agency_id, property_id) in (${created})`)
  await client.query(`delete from properties where (agency_id, id) in (${created})`)
  await client.query('truncate idempotency_keys')
  await client.query('vacuum (analyze) properties, listing_history, agency_revisions, key_usage')
  await client.end()
}

/** Copies the listings into the table of bare.ts; if it exists already, removes what earlier runs created. */
async function prepareBareTable(client: pg.Client): Promise<void> {
  const { rows } = await client.query("select to_regclass('bare_listings') as there")
  if (rows[0].there === null) {
    await client.query(`
      create table bare_listings as
      select id, agency_id, public_id as code, external_id, status, title, description, operation, type, price_amount, price_currency,
        price_period, expenses_amount, expenses_currency, address, city, province, lat, lng, features,
        to_jsonb(amenities) as amenities, to_jsonb(photos) as photos, published_at, created_at, updated_at
      from properties`)
    await client.query('alter table bare_listings add primary key (id)')
    await client.query('create unique index on bare_listings (agency_id, code)')
    await client.query(
      'create index on bare_listings (agency_id, status, published_at desc, created_at desc)',
    )
  } else {
    await client.query(`delete from bare_listings where starts_with(external_id, '${createdPrefix}')`)
  }
  await client.query('vacuum (analyze) bare_listings')
}

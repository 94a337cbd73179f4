/**
 * Fills a migrated database with agencies and keys, and with listings that have realistic texts, features and photos. Everything is
 * generated in SQL from a small vocabulary, whose folded forms come from the service's own function.
 */
import assert from 'node:assert/strict'
import pg from 'pg'
import { addressRulesVersion } from '../../src/listings/addresses/normalize.ts'
import { createAgency } from '../../src/agencies/agencies.ts'
import { databaseClock } from '../../src/platform/time/clock.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import { createKey } from '../../src/access/keys/keys.ts'
import { openSecretBox } from '../../src/access/secrets/secret-box.ts'
import { foldForSearch } from '../../src/listings/addresses/fold.ts'
import { searchText } from '../../src/listings/store/write-statements.ts'
import { amenities, places, sentences, streets, titles, weightedTypes } from './vocabulary.ts'

export type BenchAgency = {
  id: string
  readKey: string
  writeKey: string
  listings: number
  /** External ids are `CRM-` and numbers from this one on. */
  firstNumber: number
  /** Public codes of some published listings. */
  codes: string[]
}

/** `agencies` with `listings` each, and one with `large`. */
export type DataSize = { agencies: number; listings: number; large: number }

/** The total number of listings: agencies have 1,000, and one has 50,000, or half of a smaller total. */
export function sizeOf(total: number, listings = 1_000, large = Math.min(50_000, total / 2)): DataSize {
  return { agencies: Math.max(1, Math.floor((total - large) / listings)), listings, large }
}

/** Generates everything. @returns the agencies, the large one last */
export async function loadData(
  connection: pg.ClientConfig,
  size: DataSize,
  secretKey: string,
  print: (line: string) => void,
): Promise<BenchAgency[]> {
  const agencies = await makeAgencies(connection, size, secretKey)
  const client = new pg.Client(connection)
  await client.connect()
  const indexes = await dropIndexes(client)
  print(`loading ${size.agencies * size.listings + size.large} listings`)
  for (const agency of agencies) {
    await client.query(insertListings, [
      agency.id,
      agency.firstNumber,
      agency.firstNumber + agency.listings - 1,
      JSON.stringify({ titles: folded(titles), sentences, streets: folded(streets), places: folded(places) }),
      weightedTypes,
      amenities,
      addressRulesVersion,
    ])
    await client.query('update agency_revisions set revision = $2 where agency_id = $1', [
      agency.id,
      agency.listings,
    ])
  }
  await checkFolding(client)
  print('building indexes')
  await client.query("set maintenance_work_mem = '512MB'")
  for (const definition of indexes) await client.query(definition)
  await client.query('vacuum (analyze)')
  await client.query('checkpoint')
  for (const agency of agencies) agency.codes = await someCodes(client, agency.id)
  await client.end()
  return agencies
}

async function makeAgencies(
  connection: pg.ClientConfig,
  size: DataSize,
  secretKey: string,
): Promise<BenchAgency[]> {
  const db = openDatabase({ connection, poolSize: 4 })
  const deps = { secretBox: openSecretBox(secretKey), clock: databaseClock, serviceName: 'Svc' }
  const agencies: BenchAgency[] = []
  for (let index = 0; index <= size.agencies; index += 1) {
    const { id } = await createAgency(
      db,
      { name: `Inmobiliaria ${index}`, slug: `bench-${index}` },
      databaseClock,
    )
    const readKey = await createKey(db, id, { name: 'site' }, deps)
    const scopes = ['properties:read', 'properties:write']
    const writeKey = await createKey(db, id, { name: 'system', scopes }, deps)
    agencies.push({
      id,
      readKey: readKey.key,
      writeKey: writeKey.key,
      listings: index === size.agencies ? size.large : size.listings,
      firstNumber: index * size.listings,
      codes: [],
    })
  }
  await db.destroy()
  return agencies
}

/** Drops indexes, because filling is faster without. @returns the statements that recreate them */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ indexname: string; indexdef: string }>(`
    select indexname, indexdef from pg_indexes where tablename = 'properties'
    and indexname not in (select conname from pg_constraint)`)
  for (const { indexname } of rows) await client.query(`drop index ${pg.escapeIdentifier(indexname)}`)
  return rows.map(({ indexdef }) => indexdef)
}

function folded(texts: readonly (string | { text: string })[]): object[] {
  return texts.map((entry) => {
    const text = typeof entry === 'string' ? entry : entry.text
    return { ...(typeof entry === 'string' ? { text } : entry), folded: foldForSearch(text) }
  })
}

/** Checks the folded columns against the service's own function. */
async function checkFolding(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    'select title, address, city, city_folded, search_folded from properties limit 500',
  )
  for (const row of rows) {
    assert.equal(row.city_folded, foldForSearch(row.city))
    assert.equal(row.search_folded, searchText(row))
  }
}

async function someCodes(client: pg.Client, agencyId: string): Promise<string[]> {
  const { rows } = await client.query<{ public_id: string }>(
    `select public_id from properties where agency_id = $1 and status = 'published' order by id limit 200`,
    [agencyId],
  )
  return rows.map((row) => row.public_id)
}

/*
 * $1 agency, $2 and $3 first and last number, $4 vocabulary, $5 types, $6 amenities, $7 version of the address rules (without which the
 * worker would recompute keys during the measurement). Numbers are spread by multiplying with primes, so that every run generates the same
 * listings. The public code is the number in base 30, shuffled.
 */
const insertListings = `
  with words as (
    select array(select jsonb_array_elements($4::jsonb -> 'titles')) as titles,
      array(select jsonb_array_elements_text($4::jsonb -> 'sentences')) as sentences,
      array(select jsonb_array_elements($4::jsonb -> 'streets')) as streets,
      array(select jsonb_array_elements($4::jsonb -> 'places')) as places
  ), numbers as (
    select n, (n * 2654435761) % 1000003 as a, (n * 40503 + 7) % 999983 as b, (n * 7368787 + 11) % 999979 as c
    from generate_series($2::bigint, $3::bigint) as n
  ), chosen as (
    select n, a, b, c, words.sentences,
      words.titles[1 + a % cardinality(words.titles)] as title, words.streets[1 + b % cardinality(words.streets)] as street,
      words.places[1 + c % cardinality(words.places)] as place, 1 + b % 9000 as door,
      ($5::text[])[1 + c % cardinality($5)] as type,
      case when a % 20 < 17 then 'published' when a % 20 < 19 then 'draft' else 'disabled' end as status,
      case when c % 20 < 12 then 'sale' when c % 20 < 18 then 'rent' else 'temporary' end as operation,
      date_trunc('milliseconds', now() - make_interval(mins => (b % 1000000)::int)) as moment
    from numbers cross join words
  )
  insert into properties (agency_id, id, public_id, external_id, version, status, title, description, operation, type,
    price_amount, price_currency, price_period, expenses_amount, expenses_currency, address, city, province, lat, lng,
    location_status, features, amenities, photos, published_at, created_at, updated_at, city_folded, search_folded,
    street_key, city_key, address_rules)
  select $1,
    (substr(lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0') || '7' || md5(n::text), 1, 16) || '8'
      || substr(md5(n || 'id'), 1, 15))::uuid, code.text, 'CRM-' || n, n - $2::bigint + 1, status,
    (title ->> 'text') || ' ' || (place ->> 'text'),
    array_to_string(array(select sentences[1 + (a + i * b) % cardinality(sentences)] from generate_series(1, 5 + c % 6) i), E'\\n'),
    operation, type,
    case operation when 'sale' then 20000 + (a % 900) * 500 else 150 + a % 1800 end,
    case when operation = 'sale' or c % 3 = 0 then 'USD' else 'ARS' end,
    case operation when 'rent' then 'month' when 'temporary' then 'night' end,
    case when b % 2 = 0 then 20000 + b % 180000 end, case when b % 2 = 0 then 'ARS' end,
    (street ->> 'text') || ' ' || door, place ->> 'text', place ->> 'province',
    (place ->> 'lat')::float8 + (a % 1000) / 10000.0, (place ->> 'lng')::float8 + (b % 1000) / 10000.0, 'resolved',
    case when type = 'Lote' then jsonb_build_object('total_m2', 200 + a % 1500, 'orientation', 'NE', 'credit_eligible', b % 2 = 0)
      else jsonb_build_object('bedrooms', a % 6, 'bathrooms', 1 + b % 3, 'rooms', 1 + a % 8, 'total_m2', 35 + b % 400,
        'covered_m2', 30 + b % 300, 'garages', c % 3, 'age_years', c % 80, 'disposition', 'Frente', 'orientation', 'N',
        'pet_friendly', a % 2 = 0, 'credit_eligible', b % 3 = 0) end,
    array(select distinct ($6::text[])[1 + (a + i * 7) % cardinality($6)] from generate_series(1, 2 + c % 6) i),
    array(select translate(substr(encode(sha256((n * 100 + i)::text::bytea), 'base64'), 1, 43), '+/', '-_') || '.'
      || substr(md5(n || 'mark' || i), 1, 8) from generate_series(1, 3 + b % 8) i),
    case when status <> 'draft' then moment + interval '1 hour' end, moment, moment + make_interval(hours => (a % 24)::int),
    place ->> 'folded',
    (title ->> 'folded') || ' ' || (place ->> 'folded') || E'\\n' || (street ->> 'folded') || ' ' || door || E'\\n' || (place ->> 'folded'),
    (street ->> 'folded') || ' ' || door, place ->> 'folded', $7
  from chosen
  cross join lateral (
    select string_agg(substr('23456789ABCDEFGHJKMNPQRSTVWXYZ',
      1 + ((shuffled / (30::numeric ^ i)::bigint) % 30)::int, 1), '' order by i) as text
    from generate_series(0, 7) i, (select (n * 2654435761 + 12345678901) % 656100000000 as shuffled) s
  ) code`

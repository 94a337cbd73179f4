/** Everything that a request can change or show of an agency, as text in which ids, times and tokens are alike in every run. */
import { sql } from 'kysely'
import { request } from 'undici'
import type { Agency } from '../../src/agencies/agencies.ts'
import type { Answer, TestApp } from '../support/app.ts'
import { filesOf } from '../support/listings.ts'

export type Subject = { agency: Agency; readKey: string; writeKey: string }

/** Tables with the effects of a write. Counters and leftovers of failed attempts are apart. */
const tables = [
  'properties',
  'listing_history',
  'notification_events',
  'notification_deliveries',
  'photo_sources',
] as const

/** The rows of the agency's listings, with their history, events and photos, and the agency's revision. */
export async function rowsOf(t: TestApp, { agency }: Subject): Promise<string> {
  const read = async (table: string): Promise<string[]> => {
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(t)::text as row from ${sql.table(table)} t where agency_id = ${agency.id}`.execute(
      t.deps.db,
    )
    return rows.map(({ row }) => row)
  }
  const [revision] = (
    await sql<{ revision: number }>`
      select revision from agency_revisions where agency_id = ${agency.id}`.execute(t.deps.db)
  ).rows
  const codes = await codesOf(t, agency.id)
  const parts = [`revision ${revision?.revision}`]
  for (const table of tables) {
    const rows = (await read(table)).map((row) => sameInEveryRun(row, agency, codes))
    parts.push(table, ...rows.sort())
  }
  return parts.join('\n')
}

const ofAgency = ['agencies', 'api_keys', 'accounts', 'audit_log'] as const
const ofAccounts = ['account_sessions', 'account_links', 'account_notices', 'account_recovery_codes'] as const

/** The rows of the agency's profile, keys and people, with the audit log. */
export async function officeRowsOf(t: TestApp, { agency }: Subject): Promise<string> {
  const parts: string[] = []
  const note = (table: string, rows: readonly { row: string }[]) =>
    parts.push(table, ...rows.map(({ row }) => sameInEveryRun(row, agency, [])).sort())
  for (const table of ofAgency) {
    const column = sql.ref(table === 'agencies' ? 'id' : 'agency_id')
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(t)::text as row from ${sql.table(table)} t where ${column} = ${agency.id}`.execute(
      t.deps.db,
    )
    note(table, rows)
  }
  for (const table of ofAccounts) {
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(t)::text as row from ${sql.table(table)} t
      where account_id in (select id from accounts where agency_id = ${agency.id})`.execute(t.deps.db)
    note(table, rows)
  }
  return parts.join('\n')
}

/** The agency's listings as visitors and integrators see them. */
export async function viewsOf(t: TestApp, subject: Subject): Promise<string> {
  const { agency, readKey, writeKey } = subject
  const codes = await codesOf(t, agency.id)
  const read = async (key: string, path: string): Promise<string> => {
    const { status, text } = await t.ask('GET', path, { key })
    return `${path} → ${status} ${text}`
  }
  const show = async (code: string): Promise<string> => {
    const page = await request(`${t.baseUrl}/inmobiliarias/${agency.slug}/${code}`)
    return `page → ${page.statusCode} ${await page.body.text()}`
  }
  const paths = ['/properties', '/changes', ...codes.map((code) => `/properties/${code}`)]
  const all = await Promise.all([
    ...paths.map((path) => read(writeKey, path)),
    ...paths.map((path) => read(readKey, path)),
    ...codes.map(show),
  ])
  return sameInEveryRun(all.join('\n'), agency, codes)
}

/** A response, for comparison with that of another run. */
export async function responseOf(t: TestApp, { agency }: Subject, answer: Reply): Promise<string> {
  const codes = await codesOf(t, agency.id)
  return `${answer.status} ${sameInEveryRun(answer.headers.get('location') ?? '', agency, codes)} ${sameInEveryRun(answer.text, agency, codes)}`
}

export type Reply = Pick<Answer, 'status' | 'headers' | 'text'>

/** Charges of limits in the current windows. */
export type Charges = { writes: number; new_listings: number } & Record<string, number>

export async function chargesOf(t: TestApp, { agency }: Subject): Promise<Charges> {
  const { db } = t.deps
  const keys = await sql<{ writes: number }>`
    select coalesce(sum(day_writes), 0)::int as writes from key_usage where agency_id = ${agency.id}`.execute(
    db,
  )
  const revisions = await sql<{ count: number }>`
    select day_new_listings as count from agency_revisions where agency_id = ${agency.id}`.execute(db)
  const others = await sql<{ name: string; used: number }>`
    select name, used from agency_usage where agency_id = ${agency.id}`.execute(db)
  return {
    writes: keys.rows[0]?.writes ?? 0,
    new_listings: revisions.rows[0]?.count ?? 0,
    ...Object.fromEntries(others.rows.map(({ name, used }) => [name, used])),
  }
}

/** Stored pictures that no listing has, and pictures of listings that are not stored. A removed listing keeps its own. */
export async function strayFiles(t: TestApp, { agency }: Subject): Promise<string[]> {
  const { rows } = await sql<{ photo: string }>`
    select distinct unnest(photos) as photo from properties where agency_id = ${agency.id}`.execute(t.deps.db)
  const shown = new Set(rows.map(({ photo }) => photo))
  const stored = new Set(await filesOf(t, agency.id))
  return [
    ...[...stored].filter((photo) => !shown.has(photo)).map((photo) => `${photo} is stored for no listing`),
    ...[...shown].filter((photo) => !stored.has(photo)).map((photo) => `${photo} is not stored`),
  ]
}

async function codesOf(t: TestApp, agencyId: string): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select public_id as code from properties where agency_id = ${agencyId} order by created_at, id`.execute(
    t.deps.db,
  )
  return rows.map(({ code }) => code)
}

/** Replaces ids, times and tokens, which differ between two runs of the same request. */
export function sameInEveryRun(text: string, { slug }: Agency, codes: readonly string[]): string {
  let alike = text
    .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)/g, '<time>')
    .replaceAll(/([\w-]{43})\.[A-Za-z\d]{8}\b/g, '$1')
    .replaceAll(/"next_cursor":"[\w-]+"/g, '"next_cursor":"<cursor>"')
    .replaceAll(/\\\\x[\da-f]+/g, '<bytes>')
    .replaceAll(/\$argon2id\$[^"]+/g, '<password>')
    .replaceAll(/"[^"]*…"|(?<="prefix": )"[^"]*"/g, '"<prefix>"')
    .replaceAll(slug, '<slug>')
    .replaceAll(slug.replace('agency-', ''), '<slug>')
  for (const [index, code] of codes.entries()) alike = alike.replaceAll(code, `<code ${index + 1}>`)
  return alike
}

/** The agency's usage without a fault and with one, as far as the documentation allows the difference. */
export function excess(charged: Charges, twin: Charges, attempts: number): string[] {
  // api.md 6.1: writes are counted "before validation", and photos "before photos are downloaded […]; never refunded". So each attempt
  // may cost what one costs. New listings are counted when "a listing is created".
  return Object.entries(charged).flatMap(([name, used]) => {
    const most = (twin[name] ?? 0) * (/^(?:writes|photos|geocoding)/.test(name) ? attempts : 1)
    return used > most ? [`${name}: ${used} instead of ${most}`] : []
  })
}

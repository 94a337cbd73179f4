/** Everything that a request can change or show of an agency, as text in which ids, times and tokens are alike in every run. */
import { sql } from 'kysely'
import { request } from 'undici'
import type { Agency } from '../../../src/agencies/agencies.ts'
import { reapPhotos } from '../../../src/listings/photos/unreferenced.ts'
import type { ApiResponse, TestApp } from '../../support/app/app.ts'
import { filesOf } from '../../support/app/listings.ts'

export type Subject = { agency: Agency; readKey: string; writeKey: string }

/** Tables with the effects of a write. */
const ofAgencies = [
  'properties',
  'listing_history',
  'notification_events',
  'notification_deliveries',
  'notification_lanes',
  'notification_preferences',
  'photo_sources',
  'enquiries',
  'api_keys',
  'accounts',
  'audit_log',
  'former_slugs',
]
const ofAccounts = [
  'account_sessions',
  'account_links',
  'account_notices',
  'account_recovery_codes',
  'account_networks',
  'account_passkeys',
  'account_browsers',
]

/** Why other tables about agencies or people are not compared. */
export const notCompared: Readonly<Record<string, string>> = {
  agency_usage: 'charges (charges.ts)',
  key_usage: 'charges (charges.ts)',
  geocoding_attempts: 'counts attempts',
  idempotency_keys: 'seen by retries',
  key_reminders: 'written by the worker',
  listing_visits: 'counts views of pages',
  notification_attempts: 'written by the worker',
  request_days: 'counts attempts',
  request_log: 'has every attempt',
  unreferenced_photos: 'leftovers of attempts: the files are checked once these have expired',
  used_signatures: 'has every attempt',
}

export const compared: readonly string[] = [...ofAgencies, ...ofAccounts, 'agency_revisions']

const rowsIn = (table: string, where: string): string =>
  `select '${table}' as "table", to_jsonb(t)::text as row from ${table} t where ${where}`

/** The agency, its twin, and agencies that a form about it created, which begin with its slug. */
const select = `with ours as materialized (
    select o.id from agencies o, agencies a where a.id = $1 and (o.slug = a.slug or o.slug like a.slug || '-%' or o.test_of = a.id)
  ), people as materialized (select id from accounts where agency_id in (select id from ours))
  ${[
    rowsIn('agencies', 'id in (select id from ours)'),
    ...ofAgencies.map((table) => rowsIn(table, 'agency_id in (select id from ours)')),
    ...ofAccounts.map((table) => rowsIn(table, 'account_id in (select id from people)')),
    `select 'agency_revisions', jsonb_build_object('revision', revision, 'limits', limits)::text
     from agency_revisions where agency_id in (select id from ours)`,
  ].join('\n union all ')}`

/** The rows of the agency, its listings, keys and people. @param apart tables to omit */
export async function rowsOf(
  t: TestApp,
  { agency }: Subject,
  apart: readonly string[] = [],
): Promise<string> {
  const [rows, codes] = await Promise.all([
    t.deps.db.run<{ table: string; row: string }>({ text: select, values: [agency.id] }),
    codesOf(t, agency.id),
  ])
  return rows
    .filter(({ table }) => !apart.includes(table))
    .map(({ table, row }) => {
      const alike = sameInEveryRun(row, agency, codes)
      return `${table} ${table === 'notification_lanes' ? alike : withoutMailing(alike)}`
    })
    .sort()
    .join('\n')
}

/** The text of `rowsOf` without the rows of these tables. */
export function withoutTables(rows: string, tables: readonly string[]): string {
  return rows
    .split('\n')
    .filter((row) => !tables.some((table) => row.startsWith(`${table} `)))
    .join('\n')
}

/** Omits whether a mail was sent already: tests compare the mails themselves. */
const withoutMailing = (row: string): string =>
  row.replaceAll(/"(?:mail_due_at|due_at|sealed_token|sealed|mail_failures|failures)": (?:"[^"]*"|\w+)/g, '')

/** The agency's listings as visitors and integrators see them. */
export async function viewsOf(t: TestApp, subject: Subject): Promise<string> {
  const { agency, readKey, writeKey } = subject
  const codes = await codesOf(t, agency.id)
  const read = async (key: string, path: string): Promise<string> => {
    const { status, text } = await t.ask('GET', path, { key })
    return `${path} → ${status} ${text}`
  }
  const show = async (below: string): Promise<string> => {
    const page = await request(`${t.baseUrl}/inmobiliarias/${agency.slug}${below}`)
    return `page → ${page.statusCode} ${await page.body.text()}`
  }
  const paths = ['/properties', '/changes', ...codes.map((code) => `/properties/${code}`)]
  const all = await Promise.all([
    ...paths.map((path) => read(writeKey, path)),
    ...paths.map((path) => read(readKey, path)),
    ...['', ...codes.map((code) => `/${code}`)].map(show),
  ])
  return sameInEveryRun(all.join('\n'), agency, codes)
}

/** A response, for comparison with that of another run. */
export async function responseOf(t: TestApp, { agency }: Subject, response: Reply): Promise<string> {
  const codes = await codesOf(t, agency.id)
  return `${response.status} ${sameInEveryRun(response.headers.get('location') ?? '', agency, codes)} ${sameInEveryRun(response.text, agency, codes)}`
}

type Reply = Pick<ApiResponse, 'status' | 'headers' | 'text'>

/** Longer than the service keeps pictures that no listing has. */
const reapedAfterMs = 26 * 3_600_000

/** The stray files, once leftovers have expired. */
export async function filesLeft(t: TestApp, subject: Subject): Promise<string[]> {
  t.clock.offsetMs += reapedAfterMs
  while ((await reapPhotos(t.deps.photos, 100)) === 100);
  return await strayFiles(t, subject)
}

/** Stored pictures that nothing shows, and pictures that are shown and not stored. A removed listing keeps its own. */
async function strayFiles(t: TestApp, { agency }: Subject): Promise<string[]> {
  const { rows } = await sql<{ photo: string }>`
    select distinct unnest(photos) as photo from properties where agency_id = ${agency.id}
    union select logo from agencies where id = ${agency.id} and logo is not null`.execute(t.deps.db)
  const shown = new Set(rows.map(({ photo }) => photo))
  const stored = new Set(await filesOf(t, agency.id))
  return [
    ...[...stored].filter((photo) => !shown.has(photo)).map((photo) => `${photo} is stored for nothing`),
    ...[...shown].filter((photo) => !stored.has(photo)).map((photo) => `${photo} is not stored`),
  ]
}

/** The codes of the listings of the agency and of its twin, in an order that is the same in every run. */
async function codesOf(t: TestApp, agencyId: string): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select p.public_id as code from properties p join agencies a on a.id = p.agency_id
    where a.id = ${agencyId} or a.test_of = ${agencyId}
    order by a.test_of nulls first, p.deleted_at is null, p.external_id, p.title, p.created_at, p.id`.execute(
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
    .replaceAll(/"totp_last_step": \d+/g, '"totp_last_step": <step>')
    .replaceAll(/"[^"]*…"|(?<="prefix": )"[^"]*"/g, '"<prefix>"')
    .replaceAll(slug, '<slug>')
    .replaceAll(slug.replace('agency-', ''), '<slug>')
  for (const [index, code] of codes.entries()) alike = alike.replaceAll(code, `<code ${index + 1}>`)
  return alike
}

/** An agency with one of every kind of work. */
import { sql } from 'kysely'
import { PhotoFailure } from '../../../../../src/listings/photos/failure.ts'
import type { PhotoDownloader } from '../../../../../src/listings/photos/download.ts'
import { picture, photoUrls, publishable, type TestApp } from '../../../../support/app/app.ts'
import { accepted } from '../../../../support/app/listings.ts'

/** URLs with `gone` return 404 until they are in this set. */
export const fixed = new Set<string>()
export const workSource: PhotoDownloader = async (url) => {
  if (url.includes('gone') && !fixed.has(url)) throw new PhotoFailure({ kind: 'status', status: 404 })
  return picture(url)
}

export type WorkData = Awaited<ReturnType<typeof makeWork>>

/** @param title prefix of each title, to see how it is displayed */
export async function makeWork(t: TestApp, key: string, agencyId: string, title = '') {
  const create = async (body: Record<string, unknown>) =>
    accepted(await t.ask('POST', '/properties', { key, body }), 201)
  const gone = (name: string) => `https://fotos.crm.example/gone/${name}.jpg?token=${name}`
  const good = photoUrls(4)
  const photos = await create({
    title: `${title}Casa con fotos rotas`,
    photos: [good[0], gone('a'), gone('b')],
  })
  const kept = await create(publishable({ title: `${title}PH con fotos de más`, photos: photoUrls(4) }))
  await t.ask('PUT', `/properties/${kept.id}/photos`, {
    key,
    body: { urls: [kept.photos[3], kept.photos[0], kept.photos[1], gone('c')] },
  })
  const unplaced = await create({
    title: `${title}Quinta sin pin`,
    address: 'Ruta 2 km 45',
    location: { city: 'Abasto', province: 'Buenos Aires' },
  })
  const swapped = await create({
    title: `${title}Lote con el pin dado vuelta`,
    address: 'Calle 1 100',
    location: { city: 'La Plata', province: 'Buenos Aires', lat: -57.95, lng: -34.92 },
  })
  const ready = await create(
    publishable({ title: `${title}Departamento listo`, status: 'draft', photos: photoUrls(3) }),
  )
  const nearly = await create({
    ...publishable({ title: `${title}Oficina casi lista`, status: 'draft', photos: [] }),
    price: null,
  })
  const stale = await create(publishable({ title: `${title}Casa olvidada`, photos: photoUrls(3) }))
  const longAgo = new Date(Date.now() - 100 * 86_400_000).toISOString()
  await sql`update properties set updated_at = ${longAgo}
    where agency_id = ${agencyId} and public_id = ${stale.id}`.execute(t.deps.db)
  return { photos, kept, unplaced, swapped, ready, nearly, stale, gone }
}

/** Keys that fail, that are used after their end, that have gone silent, and that end soon. */
export async function makeKeyTrouble(t: TestApp, agencyId: string, name = '') {
  const { db } = t.deps
  const make = async (label: string) => {
    const { id } = await t.newKey(agencyId, { name: `${name}${label}`, scopes: ['properties:write'] })
    return id
  }
  const [failing, ended, silent, ending] = [
    await make('CRM'),
    await make('Clave vieja'),
    await make('Sincronización nocturna'),
    await make('Sitio'),
  ]
  const count = (key: string, daysAgo: number, code: string, requests: number) =>
    sql`insert into request_days (agency_id, key_id, day, code, requests)
      values (${agencyId}, ${key}, date_trunc('day', now() - ${daysAgo}::int * interval '1 day', 'UTC'), ${code}, ${requests})`.execute(
      db,
    )
  await count(failing, 0, '', 60)
  await count(failing, 0, 'rate_limited', 180)
  await count(failing, 1, 'invalid_signature', 40)
  await count(ended, 0, 'revoked_api_key', 12)
  for (let day = 4; day < 28; day += 1) await count(silent, day, '', 300)
  await sql`insert into request_log (agency_id, request_id, key_id, at, method, path, status, code, ms)
    values (${agencyId}, gen_random_uuid(), ${failing}, now() - interval '2 hours', 'PUT', '/api/v1/properties/external/A-1', 429, 'rate_limited', 3),
      (${agencyId}, gen_random_uuid(), ${ended}, now() - interval '3 hours', 'GET', '/api/v1/properties', 401, 'revoked_api_key', 2)`.execute(
    db,
  )
  await sql`update api_keys set revoked_at = now() - interval '1 day' where id = ${ended}`.execute(db)
  await sql`update api_keys set expires_at = now() + interval '5 days' where id = ${ending}`.execute(db)
  return { failing, ended, silent, ending }
}

/** A notification rejected by the mail server, for a listing that has an event. */
export async function makeUnmailed(t: TestApp, agencyId: string): Promise<void> {
  const why = JSON.stringify({ kind: 'mail_refused', said: '550 5.1.1 No such user here' })
  await sql`update notification_deliveries set state = 'set_aside', ended_at = now(), why = ${why}::jsonb
    where agency_id = ${agencyId} and channel = 'mail'`.execute(t.deps.db)
}

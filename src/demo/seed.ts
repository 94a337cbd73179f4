/**
 * Fills an empty database with demonstration data, through the same functions that requests use.
 */
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createAccount } from '../accounts/accounts.ts'
import { makeLink, setPasswordByLink } from '../accounts/links.ts'
import { createAgency, getAgency } from '../agencies/agencies.ts'
import { setAgencyContact } from '../agencies/contact.ts'
import type { Deps } from '../deps.ts'
import { noGeocoder } from '../geocoding/geocoder.ts'
import { createKey } from '../keys/keys.ts'
import { limitsWith } from '../limits/table.ts'
import { hashContent } from '../photos/addresses.ts'
import { readPicture } from '../photos/image.ts'
import { commitCreation, prepareCreation } from '../properties/create.ts'
import type { Author } from '../properties/history.ts'
import type { Listing } from '../properties/listing.ts'
import { canonicalPayload, checkPayload } from '../properties/payload.ts'
import type { Payload } from '../properties/schema.ts'
import { deleteListing, disableListing } from '../properties/states.ts'
import { changeListing, underLock, type WriteContext } from '../properties/store.ts'
import { demoAgencies, type DemoListing } from './listings.ts'
import { drawPicture, type PictureScene } from './pictures.ts'

/** The keys of the first agency and who may sign in, shown again at every start. */
export type DemoKeys = {
  agency: string
  read: string
  write: string
  owner: DemoPerson
  operator: DemoPerson
}
export type DemoPerson = { email: string; password: string }

const author: Author = { kind: 'system', id: null, name: 'demonstration', requestId: null }
const pictureSize = { width: 1200, height: 800 }
const atATime = 4
/** Pictures of one kind. Each is drawn and scaled once, and shown by several listings. */
const picturesOfAKind = 4
const unlimited = limitsWith({
  state_changes_per_day: 1000,
  disables_per_day: 1000,
  enables_per_day: 1000,
  photos_per_day: 100_000,
  new_listings_per_hour: 100_000,
  new_listings_per_day: 100_000,
})

/**
 * Fills the database if it has no agency yet.
 * @param tell hears that it takes a moment
 * @returns the demonstration keys, or null when the data is not of this making
 */
export async function seedDemo(deps: Deps, tell: (line: string) => void): Promise<DemoKeys | null> {
  const file = join(deps.config.dataDir, 'demo-keys.sealed')
  const { rows } = await sql`select 1 from agencies limit 1`.execute(deps.db)
  if (rows.length > 0) return readKeys(deps, file)
  tell('Filling the empty database with demonstration data …')
  const scenes = new Map<string, PictureScene>()
  const drawn = memory((address: string) =>
    drawPicture(scenes.get(address) ?? { kind: 'house', seed: 1 }, pictureSize),
  )
  const scaled = memory((_hash: string, bytes: Uint8Array) => readPicture(bytes))
  const seeding: Deps = {
    ...deps,
    config: { ...deps.config, limits: unlimited },
    // A start waits for nobody; and what has no pin is of a kind that no geocoder is asked for.
    geocoder: noGeocoder,
    photos: {
      ...deps.photos,
      allow: { hosts: [], origins: [new URL(deps.config.publicBaseUrl).origin] },
      source: drawn,
      read: (bytes) => scaled(hashContent(bytes), bytes),
    },
  }
  let keys: DemoKeys | null = null
  for (const { listings, contact, ...profile } of demoAgencies) {
    const agency = await createAgency(deps.db, profile, deps.clock)
    await setAgencyContact(deps.db, agency.slug, contact, deps.clock)
    const queue = [...listings]
    await Promise.all(Array.from({ length: atATime }, () => seedQueue(seeding, agency.id, queue, scenes)))
    // What the demonstration took is not its agency's doing.
    await sql`delete from agency_usage where agency_id = ${agency.id}`.execute(deps.db)
    await sql`update agency_revisions set hour_new_listings = 0, day_new_listings = 0 where agency_id = ${agency.id}`.execute(
      deps.db,
    )
    keys ??= await makeKeys(deps, agency)
  }
  if (keys !== null) await writeFile(file, deps.secretBox.seal(JSON.stringify(keys)), { mode: 0o600 })
  return keys
}

/** The same kinds with seeds out of a few, none twice within the listing. */
function fewScenes(pictures: readonly PictureScene[]): PictureScene[] {
  const used = new Map<string, number>()
  return pictures.map(({ kind, seed }) => {
    const next = used.get(kind) ?? seed
    used.set(kind, next + 1)
    return { kind, seed: 1 + (next % picturesOfAKind) }
  })
}

/** Does the work once for each name. */
function memory<Rest extends unknown[], Result>(work: (name: string, ...rest: Rest) => Promise<Result>) {
  const known = new Map<string, Promise<Result>>()
  return (name: string, ...rest: Rest): Promise<Result> => {
    const result = known.get(name) ?? work(name, ...rest)
    known.set(name, result)
    return result
  }
}

async function seedQueue(
  deps: Deps,
  agencyId: string,
  queue: DemoListing[],
  scenes: Map<string, PictureScene>,
): Promise<void> {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const origin = new URL(deps.config.publicBaseUrl).origin
    const photos = fewScenes(next.pictures).map((scene) => {
      const address = `${origin}/samples/${scene.kind}-${scene.seed}.jpg`
      scenes.set(address, scene)
      return address
    })
    await seedListing(deps, agencyId, next, photos)
  }
}

async function seedListing(deps: Deps, agencyId: string, demo: DemoListing, photos: string[]): Promise<void> {
  const status = demo.status === 'published' || demo.status === 'disabled' ? 'published' : 'draft'
  const payload = canonicalPayload({ ...demo.payload, photos, status, force_duplicate: true }) as Payload
  checkPayload(payload, new Set())
  const prepared = await prepareCreation(deps, agencyId, payload)
  await underLock(deps.db, agencyId, deps.clock, async (locked) => {
    const context: WriteContext = { ...locked, clock: deps.clock, limits: deps.config.limits, author }
    // Not counted: the limits are for agencies.
    const { listing } = await commitCreation(context, agencyId, prepared, async () => {})
    await locked.writes.send()
    await backdate(context, listing, demo.published_days_ago)
    if (demo.reserved === true) await changeListing(context, listing, 'reserved', { reserved: true })
    if (demo.status === 'disabled') await disableListing(context, listing, demo.disable ?? {})
    if (demo.status === 'removed') await deleteListing(context, listing)
  })
}

/** Creation and publication some days back, so that the newest are not all of one second. */
async function backdate({ tx }: WriteContext, listing: Listing, days: number): Promise<void> {
  await sql`
    update properties set created_at = created_at - ${days}::int * interval '1 day',
      published_at = published_at - ${days}::int * interval '1 day'
    where agency_id = ${listing.agency_id} and id = ${listing.id}`.execute(tx)
  await sql`
    update listing_history set at = at - ${days}::int * interval '1 day'
    where agency_id = ${listing.agency_id} and property_id = ${listing.id}`.execute(tx)
}

async function makeKeys(deps: Deps, agency: { id: string; slug: string }): Promise<DemoKeys> {
  const keyDeps = { secretBox: deps.secretBox, clock: deps.clock, serviceName: deps.config.serviceName }
  const read = await createKey(
    deps.db,
    agency.id,
    { name: 'Demonstration, read only', scopes: ['properties:read'] },
    keyDeps,
  )
  const write = await createKey(
    deps.db,
    agency.id,
    { name: 'Demonstration, read and write', scopes: ['properties:write'] },
    keyDeps,
  )
  return {
    agency: agency.slug,
    read: read.key,
    write: write.key,
    ...(await makePeople(deps, agency)),
  }
}

async function makePeople(deps: Deps, agency: { id: string; slug: string }) {
  return {
    owner: await makePerson(deps, 'Ana Ribera', `ana@${agency.slug}.example`, agency.id),
    operator: await makePerson(deps, 'Olga Operadora', 'olga@operador.example', null),
  }
}

/** Somebody who can sign in at once, with a password of this very database. */
async function makePerson(
  { db, clock }: Deps,
  name: string,
  email: string,
  agencyId: string | null,
): Promise<DemoPerson> {
  const role = agencyId === null ? 'operator' : 'owner'
  const account = await createAccount(db, { email, name, agencyId, role }, clock)
  const password = `demo-${randomBytes(9).toString('base64url')}`
  const token = await makeLink(db, account.id, 'invitation', clock)
  await setPasswordByLink(db, token, password, null, clock)
  return { email, password }
}

async function readKeys(deps: Deps, file: string): Promise<DemoKeys | null> {
  try {
    const kept = JSON.parse(deps.secretBox.open(await readFile(file))) as DemoKeys
    if (kept.owner !== undefined) return kept
    // Older ones knew no people.
    const agency = await getAgency(deps.db, kept.agency)
    const keys = { ...kept, ...(await makePeople(deps, agency)) }
    await writeFile(file, deps.secretBox.seal(JSON.stringify(keys)), { mode: 0o600 })
    return keys
  } catch {
    // Not of this making, or sealed under another SECRET_KEY: new keys come from the command line.
    return null
  }
}

/** Dependencies of the ingest with a real database and real files, and a scripted source. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import type { Db } from '../../../src/platform/db/database.ts'
import { uuidv7 } from '../../../src/platform/names/ids.ts'
import { PhotoFailure } from '../../../src/listings/photos/failure.ts'
import type { IngestDeps } from '../../../src/listings/photos/ingest.ts'
import { openStorage, type PhotoStorage } from '../../../src/listings/photos/storage.ts'

/** The response for each URL: bytes, a failure, or a promise. Unknown URLs fail. */
export type Responses = Record<string, Uint8Array | Error | Promise<Uint8Array>>

export type Bench = {
  deps: IngestDeps & { storage: PhotoStorage }
  agencyId: string
  /** URLs requested from the source, in order. */
  asked: string[]
  /** Messages logged. */
  logged: string[]
  /** Names of pictures with files, and the number of files. */
  files(): Promise<Record<string, number>>
  /** Names of the agency's unreferenced pictures. */
  unreferenced(): Promise<string[]>
  close(): Promise<void>
}

export async function openBench(db: Db, responses: Responses = {}): Promise<Bench> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ingest-'))
  const agencyId = uuidv7()
  const asked: string[] = []
  const logged: string[] = []
  const deps: Bench['deps'] = {
    db,
    clock: { offsetMs: 0 },
    storage: await openStorage({ dataDir, s3: null }),
    allow: { hosts: [], origins: [] },
    log: { warn: (_details, message) => void logged.push(message) },
    download: async (url) => {
      asked.push(url)
      const response = await (responses[url] ?? new PhotoFailure('Unknown URL.'))
      if (response instanceof Error) throw response
      return Buffer.from(response)
    },
  }
  return {
    deps,
    agencyId,
    asked,
    logged,
    async files() {
      const folder = join(dataDir, 'photos', agencyId)
      const photos = await readdir(folder).catch(() => [])
      const counted = photos.map(
        async (photo) => [photo, (await readdir(join(folder, photo))).length] as const,
      )
      return Object.fromEntries(await Promise.all(counted))
    },
    async unreferenced() {
      const { rows } = await sql<{
        photo: string
      }>`select photo from unreferenced_photos where agency_id = ${agencyId} order by photo`.execute(db)
      return rows.map(({ photo }) => photo)
    },
    close: () => rm(dataDir, { recursive: true }),
  }
}

/** A distinct PNG for each number. */
export async function picture(number: number): Promise<Buffer> {
  return sharp({ create: { width: 40, height: 30, channels: 3, background: { r: number, g: 100, b: 50 } } })
    .png()
    .toBuffer()
}

/** An agency with one listing that shows these pictures. */
export async function collectListing(db: Db, agencyId: string, photos: readonly string[]): Promise<void> {
  await sql`insert into agencies (id, name, slug, created_at, updated_at)
    values (${agencyId}, 'Agency', ${agencyId}, now(), now()) on conflict do nothing`.execute(db)
  await sql`insert into properties (agency_id, id, public_id, version, status, photos, created_at, updated_at)
    values (${agencyId}, ${uuidv7()}, ${agencyId.slice(-8)}, 1, 'draft', ${photos}, now(), now())`.execute(db)
}

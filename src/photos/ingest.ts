/**
 * The photos of one write (spec 'POST /properties/{id}/photos', 'POST /properties'): downloaded, judged and stored before the
 * transaction; put on the listing by it, or taken back.
 *
 * A row in unreferenced_photos stands for stored files that no listing shows. It is written before the files are and deleted by the
 * transaction that puts the picture on a listing. Files are deleted only after their row was condemned (delete_after '-infinity') by
 * a statement that skips rows a transaction holds; a condemned picture can be put on no listing any more. So whatever crashes
 * or races, no listing loses files and no file stays for ever.
 */
import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Db, Tx } from '../db/database.ts'
import { ApiError } from '../errors.ts'
import { photoOutcomes } from '../figures.ts'
import type { PhotoSourceAllow } from './address.ts'
import { contentHash, hashContent, newPhotoName, photoKey, photoSizeNames } from './addresses.ts'
import { abortable, createLimiter } from './bounded.ts'
import { PhotoFailure } from './failure.ts'
import { readPicture, shareDecoding } from './image.ts'
import type { PhotoSource } from './source.ts'
import type { PhotoStorage } from './storage.ts'

export type IngestDeps = {
  db: Db
  clock: Clock
  storage: PhotoStorage
  source: PhotoSource
  /** Checks and scales a picture; `readPicture` unless the caller knows its pictures already. */
  read?: typeof readPicture
  allow: PhotoSourceAllow
  log: { warn(details: object, message: string): void }
}

/** What became of one address. */
export type PhotoVerdict = {
  url: string
  /** `duplicate`: the listing, or an earlier address of the same write, has the same picture. */
  status: 'stored' | 'duplicate' | 'failed'
  /** The stored name; for a duplicate, that of the picture it repeats; null when it failed. */
  photo: string | null
  /** Why it failed, as a sentence. */
  reason: string | null
}

export type IngestOptions = {
  /** Names of the pictures the listing has. */
  existing: readonly string[]
  /** Ends the work: nothing is kept and its reason is thrown. */
  signal?: AbortSignal
  /** What is not stored when it aborts fails. Without it, 40 s. */
  deadline?: AbortSignal
}

// A write's preparation has 45 s in all, and its answer is still to be made.
const defaultDeadlineMs = 40_000
/** Addresses of one write that are worked on at a time, so that one write does not take all of the places below. */
const placesPerWrite = 4
/** Pictures in memory at a time in this process, 10 MB each at most, from the download to the stored files. */
let inHand = createLimiter(16)

/** Has this process take its share of photos, as one of so many on the machine. */
export function sharePhotos(processes: number): void {
  inHand = createLimiter(Math.max(placesPerWrite, Math.ceil(16 / processes)))
  shareDecoding()
}

const outOfTime = 'There was no time left to take this picture; send it again.'
const ourFault = 'The picture could not be stored; this is a fault of the service. Send it again.'

/**
 * Downloads, judges and stores the pictures. What it stored belongs to the caller: reference it in a transaction or discard it.
 * @returns a verdict for each address, in the order given. It does not depend on which download ends first
 * @throws ApiError `service_unavailable` when none could be taken and the fault is ours; the signal's reason when that aborts
 */
export async function ingestPhotos(
  deps: IngestDeps,
  agencyId: string,
  urls: readonly string[],
  options: IngestOptions,
): Promise<PhotoVerdict[]> {
  const deadline = options.deadline ?? AbortSignal.timeout(defaultDeadlineMs)
  const signal = options.signal === undefined ? deadline : AbortSignal.any([options.signal, deadline])
  const place = createLimiter(placesPerWrite)
  const existing = new Map(options.existing.map((photo) => [contentHash(photo), photo]))
  /** By content hash: the name it is stored under. */
  const stored = new Map<string, Promise<string>>()

  const take = async (url: string): Promise<string> => {
    const bytes = await deps.source(url, deps.allow, signal)
    const hash = hashContent(bytes)
    if (existing.has(hash) || stored.has(hash)) return hash
    const storing = storePicture(deps, agencyId, hash, bytes, signal)
    stored.set(hash, storing)
    await storing
    return hash
  }
  /** By address, so that one given twice is downloaded once. */
  const taken = new Map(
    [...new Set(urls)].map((url) => [url, place(() => inHand(() => take(url), signal), signal)]),
  )
  const outcomes = await Promise.allSettled(
    urls.map(async (url) => {
      const hash = (await taken.get(url)) ?? ''
      return { hash, photo: existing.get(hash) ?? (await stored.get(hash)) ?? null }
    }),
  )

  if (options.signal?.aborted === true) {
    const names = await Promise.allSettled(stored.values())
    await discardPhotos(
      deps,
      agencyId,
      names.flatMap((name) => (name.status === 'fulfilled' ? [name.value] : [])),
    )
    options.signal.throwIfAborted()
  }
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') photoOutcomes.add(`failed_${blameOf(outcome.reason, deadline)}`)
  const failure = outcomes.find(
    (outcome) => outcome.status === 'rejected' && blameOf(outcome.reason, deadline) === 'storage',
  )
  const allFailed = outcomes.every((outcome) => outcome.status === 'rejected')
  if (failure?.status === 'rejected') {
    deps.log.warn({ err: failure.reason, agency_id: agencyId }, 'photos could not be stored')
    if (allFailed) throw new ApiError('service_unavailable', { cause: failure.reason })
  }
  const seen = new Set(existing.keys())
  return outcomes.map((outcome, index): PhotoVerdict => {
    const url = urls[index] ?? ''
    if (outcome.status === 'rejected') {
      return { url, status: 'failed', photo: null, reason: reasonOf(outcome.reason, deadline) }
    }
    const { hash, photo } = outcome.value
    const status = seen.has(hash) ? 'duplicate' : 'stored'
    photoOutcomes.add(status)
    seen.add(hash)
    return { url, status, photo, reason: null }
  })
}

async function storePicture(
  deps: IngestDeps,
  agencyId: string,
  hash: string,
  bytes: Buffer,
  signal: AbortSignal,
): Promise<string> {
  const picture = await (deps.read ?? readPicture)(bytes, signal)
  signal.throwIfAborted()
  const photo = newPhotoName(hash)
  await sql`insert into unreferenced_photos (agency_id, photo, delete_after)
    values (${agencyId}, ${photo}, ${now(deps.clock)} + interval '1 hour')`.execute(deps.db)
  const files = Promise.allSettled(
    photoSizeNames.map((size) => deps.storage.put(photoKey(agencyId, photo, size), picture[size].bytes)),
  )
  // Out of time, the files may still be on their way: their row stays, and the reaper comes long after.
  const failed = (await abortable(files, signal)).find((file) => file.status === 'rejected')
  if (failed !== undefined) {
    await discardPhotos(deps, agencyId, [photo])
    throw failed.reason
  }
  return photo
}

/** Takes stored pictures back, after the write failed. What cannot be deleted now, the reaper deletes later. Never throws. */
export async function discardPhotos(
  deps: IngestDeps,
  agencyId: string,
  photos: readonly string[],
): Promise<void> {
  if (photos.length === 0) return
  try {
    // A row that is gone, or held by a transaction whose end nobody heard, keeps its files.
    const condemned = await sql<{ photo: string }>`with free as materialized (
        select photo from unreferenced_photos where agency_id = ${agencyId} and photo = any(${photos}) for update skip locked
      )
      update unreferenced_photos set delete_after = '-infinity'
      from free where agency_id = ${agencyId} and unreferenced_photos.photo = free.photo
      returning free.photo`.execute(deps.db)
    await removeCondemned(
      deps,
      agencyId,
      condemned.rows.map(({ photo }) => photo),
    )
  } catch (error) {
    deps.log.warn({ err: error, agency_id: agencyId }, 'photos of a failed write are left to the reaper')
  }
}

/**
 * Deletes the files of condemned pictures, then their rows. A picture whose files resist keeps its row.
 * @returns how many are gone
 */
export async function removeCondemned(
  deps: IngestDeps,
  agencyId: string,
  photos: readonly string[],
): Promise<number> {
  const removed: string[] = []
  for (const photo of photos) {
    try {
      await deps.storage.removePhoto(agencyId, photo)
      removed.push(photo)
    } catch (error) {
      deps.log.warn({ err: error, agency_id: agencyId, photo }, 'the files of a photo could not be deleted')
    }
  }
  if (removed.length === 0) return 0
  await sql`delete from unreferenced_photos
    where agency_id = ${agencyId} and photo = any(${removed}) and delete_after = '-infinity'`.execute(deps.db)
  return removed.length
}

/**
 * Says in the transaction that puts them on a listing that the pictures have one now.
 * @throws ApiError `service_unavailable` when one was reaped meanwhile; the transaction must not commit then
 */
export async function referencePhotos(tx: Tx, agencyId: string, photos: readonly string[]): Promise<void> {
  if (photos.length === 0) return
  const { rows } = await sql`delete from unreferenced_photos
    where agency_id = ${agencyId} and photo = any(${photos}) and delete_after > '-infinity' returning photo`.execute(
    tx,
  )
  if (rows.length < new Set(photos).size) {
    throw new ApiError('service_unavailable', {
      message: 'A photo was given up before it was saved. Send the request again.',
    })
  }
}

/** Says in the transaction that takes them off a listing that the pictures have none now. Their files live one day more. */
export async function abandonPhotos(
  tx: Tx,
  agencyId: string,
  photos: readonly string[],
  clock: Clock,
): Promise<void> {
  if (photos.length === 0) return
  await sql`insert into unreferenced_photos (agency_id, photo, delete_after)
    select ${agencyId}::uuid, photo, ${now(clock)} + interval '1 day' from unnest(${photos}::text[]) as photo
    on conflict do nothing`.execute(tx)
}

function now(clock: Clock) {
  return sql`clock_timestamp() + ${clock.offsetMs}::float8 * interval '1 ms'`
}

/** Whose fault it is: that of the source or its picture, ours, or that of nobody but time. */
function blameOf(error: unknown, deadline: AbortSignal): 'source' | 'storage' | 'late' {
  if (error instanceof PhotoFailure) return 'source'
  return deadline.aborted && error === deadline.reason ? 'late' : 'storage'
}

function reasonOf(error: unknown, deadline: AbortSignal): string {
  if (error instanceof PhotoFailure) return error.message
  return blameOf(error, deadline) === 'storage' ? ourFault : outOfTime
}

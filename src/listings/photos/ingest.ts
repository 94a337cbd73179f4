/**
 * Checks and stores a write's photos, downloaded or uploaded, before its transaction (api.md 13.4, 13.5). The transaction puts them on the
 * listing; otherwise they are discarded (unreferenced.ts).
 */
import type { Clock } from '../../platform/time/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/errors/errors.ts'
import { photoOutcomes } from '../../platform/log/counters.ts'
import type { PhotoSourceAllow } from './check-url.ts'
import {
  contentHash,
  hashContent,
  newPhotoName,
  photoKey,
  photoSizeNames,
  requestedUrl,
} from './names-and-urls.ts'
import { abortable } from '../../platform/concurrency.ts'
import { realAgencyId } from '../../limits/real-agency.ts'
import { PhotoDelayed, PhotoFailure, type PhotoWhy, photoWhyText } from './failure.ts'
import { readPicture } from './image.ts'
import { openPhotoShare, type PhotoShare } from './share.ts'
import type { PhotoDownloader } from './download.ts'
import type { PhotoStorage } from './storage.ts'
import { recordUpload, discardPhotos } from './unreferenced.ts'
import type { Log } from '../../platform/log/log.ts'

export type IngestDeps = {
  db: Db
  clock: Clock
  storage: PhotoStorage
  download: PhotoDownloader
  /** Checks and scales a picture; `readPicture` by default. */
  read?: typeof readPicture
  allow: PhotoSourceAllow
  /** The write's share; by default, each call has its own. */
  share?: PhotoShare
  log: Pick<Log, 'warn'>
}

/** The outcome for one URL or file. */
export type PhotoVerdict = {
  /** As sent; for a file, its name. */
  url: string
  /** `duplicate`: the listing, or an earlier URL or file of the same write, has the same picture. */
  status: 'stored' | 'duplicate' | 'failed'
  /** The stored name, or for a duplicate, the name of the picture that it repeats; null when it failed. */
  photo: string | null
  /** The reason for a failure, or null. */
  why: PhotoWhy | null
  /** Whether the service failed, rather than the photo or its source: a retry may succeed. */
  isOurs: boolean
}

/** The failed photos as an error's `photos` lists them (api.md 5.1), in the form of `POST …/photos`. */
export function failedPhotos(verdicts: readonly PhotoVerdict[]) {
  const failed = { status: 'failed', position: null, stored_url: null } as const
  return verdicts.flatMap(({ url, why }) =>
    why === null ? [] : [{ url, ...failed, error: photoWhyText(why) }],
  )
}

export type FailedPhoto = ReturnType<typeof failedPhotos>[number]

type IngestOptions = {
  /** Names of the listing's pictures. */
  existing: readonly string[]
  /**
   * Charges all pictures once, when the first has a slot: a write without a slot costs nothing. If it rejects, nothing is
   * downloaded or decoded.
   */
  charge?(): Promise<void>
}

/** A picture of a write: a URL or a file. */
type Sent = {
  /** The name in its verdict. */
  url: string
  /** Pictures with equal keys are fetched once. */
  same: string
  bytes(signal: AbortSignal, share: PhotoShare): Promise<Buffer>
}

/**
 * Downloads, checks and stores the pictures. The caller references them in a transaction or discards them.
 * @returns a verdict for each URL, in the order given, whichever download ends first
 * @throws ApiError `service_unavailable` when all failed and the service is at fault; errors of `charge`
 */
export function ingestPhotos(
  deps: IngestDeps,
  agencyId: string,
  urls: readonly string[],
  options: IngestOptions,
): Promise<PhotoVerdict[]> {
  const sent = urls.map((url): Sent => {
    const same = requestedUrl(url)
    return { url, same, bytes: (signal, share) => deps.download(same, deps.allow, signal, share) }
  })
  return ingest(deps, agencyId, sent, options)
}

/** An uploaded file: do not trust its name or its bytes. */
export type PhotoFile = Readonly<{ name: string; bytes: Buffer }>

/** Like `ingestPhotos`, for files. */
export function ingestFiles(
  deps: IngestDeps,
  agencyId: string,
  files: readonly PhotoFile[],
  options: IngestOptions,
): Promise<PhotoVerdict[]> {
  const sent = files.map(({ name, bytes }, index): Sent => {
    return { url: name, same: String(index), bytes: async () => bytes }
  })
  return ingest(deps, agencyId, sent, options)
}

async function ingest(deps: IngestDeps, agencyId: string, sent: readonly Sent[], options: IngestOptions) {
  if (sent.length === 0) return []
  const share = deps.share ?? openPhotoShare(await realAgencyId(deps.db, agencyId))
  const uncharged = new AbortController()
  const signal = AbortSignal.any([uncharged.signal, share.ends])
  const existing = new Map(options.existing.map((photo) => [contentHash(photo), photo]))
  /** Content hash → stored name. */
  const stored = new Map<string, Promise<string>>()

  const charge = async (): Promise<void> => {
    try {
      await options.charge?.()
    } catch (error) {
      uncharged.abort(error)
    }
  }
  let charged: Promise<void> | null = null
  const take = async (picture: Sent): Promise<string> => {
    await (charged ??= charge())
    signal.throwIfAborted()
    const bytes = await picture.bytes(signal, share)
    const hash = hashContent(bytes)
    if (existing.has(hash) || stored.has(hash)) return hash
    const storing = storePicture({ ...deps, share }, agencyId, hash, bytes, signal)
    stored.set(hash, storing)
    await storing
    return hash
  }
  const taken = new Map<string, Promise<string>>()
  for (const picture of sent) {
    const { same } = picture
    if (!taken.has(same))
      taken.set(
        same,
        share.take(() => take(picture), uncharged.signal),
      )
  }
  const outcomes = await Promise.allSettled(
    sent.map(async ({ same }) => {
      const hash = (await taken.get(same)) ?? ''
      return { hash, photo: existing.get(hash) ?? (await stored.get(hash)) ?? null }
    }),
  )

  uncharged.signal.throwIfAborted()
  const failures: Failure[] = []
  const seen = new Set(existing.keys())
  const verdicts = outcomes.map((outcome, index): PhotoVerdict => {
    const url = sent[index]?.url ?? ''
    if (outcome.status === 'rejected') {
      const failure = failureOf(outcome.reason, share.ends)
      failures.push(failure)
      photoOutcomes.add(`failed_${failure.blame}`)
      return { url, status: 'failed', photo: null, why: failure.why, isOurs: failure.isOurs }
    }
    const { hash, photo } = outcome.value
    const status = seen.has(hash) ? 'duplicate' : 'stored'
    photoOutcomes.add(status)
    seen.add(hash)
    return { url, status, photo, why: null, isOurs: false }
  })
  const ofStorage = failures.find(({ blame }) => blame === 'storage')
  if (ofStorage !== undefined)
    deps.log.warn({ err: ofStorage.error, agency_id: agencyId }, 'photos could not be stored')
  if (failures.length === outcomes.length) throwIfOurs(failures, verdicts)
  return verdicts
}

async function storePicture(
  deps: IngestDeps & { share: PhotoShare },
  agencyId: string,
  hash: string,
  bytes: Buffer,
  signal: AbortSignal,
): Promise<string> {
  const picture = await (deps.read ?? readPicture)(bytes, deps.share.payer, signal)
  signal.throwIfAborted()
  const photo = newPhotoName(hash)
  await recordUpload(deps, agencyId, photo)
  const files = Promise.allSettled(
    photoSizeNames.map((size) => deps.storage.put(photoKey(agencyId, photo, size), picture[size].bytes)),
  )
  // After a timeout, storage may still be writing files: their row stays, and the reaper runs much later.
  const failed = (await abortable(files, signal)).find((file) => file.status === 'rejected')
  if (failed !== undefined) {
    await discardPhotos(deps, agencyId, [photo])
    throw failed.reason
  }
  return photo
}

type Failure = {
  error: unknown
  /** Sorts a failure: the source or its picture, our storage, or a timeout. */
  blame: 'source' | 'storage' | 'late'
  isOurs: boolean
  why: PhotoWhy
}

function failureOf(error: unknown, ends: AbortSignal): Failure {
  if (error instanceof PhotoFailure) return { error, blame: 'source', isOurs: false, why: error.why }
  if (error instanceof PhotoDelayed) return { error, blame: 'late', isOurs: true, why: error.why }
  // The write's own photos used all its time, usually because of slow sources.
  if (ends.aborted && error === ends.reason)
    return { error, blame: 'late', isOurs: false, why: { kind: 'out_of_time' } }
  return { error, blame: 'storage', isOurs: true, why: { kind: 'storage' } }
}

/** Handles a write without any stored photo. @throws ApiError if the service is at fault rather than the photos */
function throwIfOurs(failures: readonly Failure[], verdicts: readonly PhotoVerdict[]): void {
  const ours = failures.find(({ isOurs }) => isOurs)
  if (ours === undefined && failures.some(({ blame }) => blame === 'source')) return
  const cause = (ours ?? failures[0])?.error
  if (ours?.blame === 'storage')
    throw new ApiError('service_unavailable', { cause, extra: { photos: failedPhotos(verdicts) } })
  throw photosDelayed(verdicts, cause)
}

/** 503 with the failed photos: the client should retry. */
export function photosDelayed(verdicts: readonly PhotoVerdict[], cause?: unknown): ApiError {
  return new ApiError('service_unavailable', {
    message: 'The service was too busy to fetch the photos. Send them again.',
    extra: { photos: failedPhotos(verdicts) },
    cause,
  })
}

/**
 * The photos and pins that a write gets from outside the database. A run requests them: it gets the results if they have been
 * fetched, and otherwise stand-ins. Stand-ins look like successes, so the run continues and finds every other reason to refuse the write;
 * then it is rolled back, so no stand-in is stored. After the run, everything missing is fetched, and the next run gets the results
 * (run-until-complete.ts). A dry run gets only stand-ins for photos, no pins, and has no next run.
 */
import { inTransaction } from '../../platform/db/statements/transaction.ts'
import type { Deps } from '../../deps.ts'
import { type ApiError, asApiError } from '../../platform/errors/errors.ts'
import type { GeocodingResult, PostalAddress } from '../geocoding/geocoder.ts'
import { realAgencyId } from '../../limits/real-agency.ts'
import { take } from '../../limits/take.ts'
import type { IngestDeps, PhotoVerdict } from '../photos/ingest.ts'
import { contentHash, hashContent, newPhotoName, requestedUrl } from '../photos/names-and-urls.ts'
import { openPhotoShare, type PhotoShare } from '../photos/share.ts'
import { discardPhotos } from '../photos/unreferenced.ts'
import type { Outside } from '../../writing/run-until-complete.ts'
import { isSameAddress } from '../fields/content.ts'

/** Charges that many photos to the agency's daily limit. */
type Charge = (count: number) => Promise<void>

/** Stores the pictures of these URLs, or of files with these names. */
export type Download = (
  photos: IngestDeps,
  urls: readonly string[],
  charge: Charge,
) => Promise<PhotoVerdict[]>

/** `skipped`: a dry run geocodes nothing. */
type PinResult = GeocodingResult | { status: 'skipped' }

/** The requests of a write, or of an item of a batch. */
export type Fetches = {
  /** @returns the result, or a stand-in */
  requestPin(address: PostalAddress): PinResult
  /**
   * @returns a verdict for each URL: the results, or a stand-in for each
   * @throws ApiError if the download failed as a whole
   */
  requestPhotos(urls: readonly string[], download: Download): PhotoVerdict[]
  /** Whether the photo was stored for this write, and is not a stand-in. */
  isStored(photo: string): boolean
  /** Cancels this run's requests, because the item has failed. */
  cancel(): void
  /** The fetches of an item of a batch. */
  forItem(index: number): Fetches
}

export type FetchesOfWrite = Fetches &
  Outside & {
    /** The verdicts on all photos fetched so far, without stand-ins. */
    fetchedPhotos(): PhotoVerdict[]
  }

/** The results for an item. `verdicts`: by URL, in the order in which the URL occurs. */
type Results = {
  pins: { address: PostalAddress; found: GeocodingResult }[]
  verdicts: Map<string, PhotoVerdict[]>
  failure: ApiError | null
}

/** Requests of the current run that have no result yet. */
type MissingPin = { results: Results; address: PostalAddress }
type MissingPhotos = { results: Results; urls: readonly string[]; download: Download }

/** @param isCharged whether photos count toward the agency's daily limit */
export function openFetches(deps: Deps, agencyId: string, isCharged = true): FetchesOfWrite {
  const resultsByItem = new Map<number, Results>()
  const stored = new Set<string>()
  let missing: (MissingPin | MissingPhotos)[] = []
  let share: PhotoShare | null = deps.photos.share ?? null

  const resultsOf = (index: number): Results => {
    const results = resultsByItem.get(index) ?? { pins: [], verdicts: new Map(), failure: null }
    resultsByItem.set(index, results)
    return results
  }
  const forItem = (index: number): Fetches => ({
    requestPin(address) {
      const results = resultsOf(index)
      const fetched = results.pins.find((one) => isSameAddress(one.address, address))
      if (fetched !== undefined) return fetched.found
      missing.push({ results, address })
      return standInPin
    },
    requestPhotos(urls, download) {
      const results = resultsOf(index)
      if (results.failure !== null) throw results.failure
      const fetched = occurrences(urls).map(({ url, nth }) => results.verdicts.get(url)?.[nth])
      const unfetched = urls.filter((_url, at) => fetched[at] === undefined)
      if (unfetched.length === 0) return fetched as PhotoVerdict[]
      missing.push({ results, urls: unfetched, download })
      return standInPhotos(urls)
    },
    isStored: (photo) => stored.has(photo),
    cancel() {
      const results = resultsOf(index)
      missing = missing.filter((one) => one.results !== results)
    },
    forItem,
  })
  const discard = async (): Promise<void> => {
    const names = [...stored]
    stored.clear()
    await discardPhotos(deps.photos, agencyId, names)
  }

  return {
    ...forItem(0),
    begin() {
      missing = []
    },
    isIncomplete: () => missing.length > 0,
    async fetch() {
      const pins = missing.flatMap((one) => ('address' in one ? one : []))
      const photos = missing.flatMap((one) => ('urls' in one ? one : []))
      missing = []
      if (photos.length > 0) share ??= openPhotoShare(await realAgencyId(deps.db, agencyId))
      const photoDeps = { ...deps.photos, ...(share && { share }) }
      const charge = isCharged ? chargeInOrder(deps, agencyId) : async () => {}
      const outcomes = await Promise.allSettled([
        geocodeAll(deps, pins),
        ...photos.map((one) => downloadAll(photoDeps, one, charge, stored)),
      ])
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
    },
    discard,
    async restart() {
      await discard()
      resultsByItem.clear()
    },
    fetchedPhotos: () => [...resultsByItem.values()].flatMap(({ verdicts }) => [...verdicts.values()].flat()),
  }
}

/** Charges one after another: if the daily limit is nearly used up, the first items get the rest. */
function chargeInOrder(deps: Deps, agencyId: string): Charge {
  let last: Promise<void> = Promise.resolve()
  return (count) => {
    const charged = last.then(() => inTransaction(deps.db, (tx) => take(tx, 'photos', agencyId, count, deps)))
    last = charged.catch(() => {})
    return charged
  }
}

async function geocodeAll({ geocoder }: Deps, missing: readonly MissingPin[]): Promise<void> {
  if (missing.length === 0) return
  const found = await geocoder.findMany(missing.map(({ address }) => address))
  for (const [at, { results, address }] of missing.entries())
    results.pins.push({ address, found: found[at] ?? { status: 'unavailable' } })
}

async function downloadAll(
  photos: IngestDeps,
  { results, urls, download }: MissingPhotos,
  charge: Charge,
  stored: Set<string>,
): Promise<void> {
  try {
    for (const verdict of await download(photos, urls, charge)) {
      const { url, status, photo } = verdict
      results.verdicts.set(url, [...(results.verdicts.get(url) ?? []), verdict])
      if (status === 'stored' && photo !== null) stored.add(photo)
    }
  } catch (error) {
    results.failure = asApiError(error)
  }
}

/** For a dry run: fetches nothing. */
export const dryRunFetches: FetchesOfWrite = {
  requestPin: () => ({ status: 'skipped' }),
  requestPhotos: standInPhotos,
  isStored: () => false,
  cancel() {},
  forItem: () => dryRunFetches,
  begin() {},
  isIncomplete: () => false,
  async fetch() {},
  async discard() {},
  async restart() {},
  fetchedPhotos: () => [],
}

const unexpected = (): never => {
  throw new Error('this write fetches nothing')
}

/** For a write that has no photos to fetch and no address to look up. */
export const noFetches: Fetches = {
  requestPin: unexpected,
  requestPhotos: (urls) => (urls.length === 0 ? [] : unexpected()),
  isStored: () => false,
  cancel() {},
  forItem: () => noFetches,
}

/** Has a pin, because a later item may clear the pin that this item will get. */
const standInPin: PinResult = { status: 'found', pin: { lat: 0, lng: 0, status: 'approximate' } }

/** A success for each URL. Each different one counts as a picture. */
function standInPhotos(urls: readonly string[]): PhotoVerdict[] {
  const seen = new Set<string>()
  return urls.map((url) => {
    // A file has a name and no URL.
    const photo = newPhotoName(hashContent(Buffer.from(URL.canParse(url) ? requestedUrl(url) : url)))
    const status = seen.has(contentHash(photo)) ? 'duplicate' : 'stored'
    seen.add(contentHash(photo))
    return { url, status, photo, why: null, isOurs: false }
  })
}

/** Each URL with the number of its earlier occurrences. */
function occurrences(urls: readonly string[]): { url: string; nth: number }[] {
  const counts = new Map<string, number>()
  return urls.map((url) => {
    const nth = counts.get(url) ?? 0
    counts.set(url, nth + 1)
    return { url, nth }
  })
}

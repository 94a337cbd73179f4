/**
 * The photos and coordinates that a write gets from outside the database (run-until-complete.ts). A run requests them and gets
 * stand-ins for those that are missing. These are fetched after the run, and the next run finds them.
 */
import { inTransaction } from '../../platform/db/statements/transaction.ts'
import type { Deps } from '../../deps.ts'
import { type ApiError, asApiError } from '../../platform/errors/errors.ts'
import type { GeocodingResult, PostalAddress } from '../geocoding/geocoder.ts'
import { originalOf } from '../../limits/original.ts'
import { take } from '../../limits/take.ts'
import type { IngestDeps, PhotoVerdict } from '../photos/ingest.ts'
import { contentHash, hashContent, newPhotoName, requestedUrl } from '../photos/names-and-urls.ts'
import { openPhotoShare, type PhotoShare } from '../photos/share.ts'
import { discardPhotos } from '../photos/unreferenced.ts'
import type { Outside } from '../../platform/writing/run-until-complete.ts'
import { isSameAddress } from '../fields/content.ts'

/** Charges that many photos to the agency's daily limit. */
type Charge = (count: number) => Promise<void>

/** Stores the pictures of these URLs, or of files with these names. */
export type Download = (
  photos: IngestDeps,
  urls: readonly string[],
  charge: Charge,
) => Promise<PhotoVerdict[]>

/** Gives a write, or an item of a batch, its coordinates and photos, or stand-ins for those that are still missing. */
export type Fetches = {
  locate(address: PostalAddress): GeocodingResult
  /**
   * A verdict for each URL.
   * @throws ApiError if the download failed as a whole
   */
  photos(urls: readonly string[], download: Download): PhotoVerdict[]
  /** Whether this run has received a stand-in. */
  isIncomplete(): boolean
  /** Whether the photo was stored for this write, and is not a stand-in. */
  isStored(photo: string): boolean
  /** Cancels this run's requests, because the item has failed. */
  forget(): void
  /** The fetches of an item of a batch. */
  item(index: number): Fetches
}

export type FetchesOfWrite = Fetches &
  Outside & {
    /** The verdicts on all photos so far. */
    verdicts(): PhotoVerdict[]
  }

/** The results for an item. `verdicts`: by URL, in the order in which the URL occurs. */
type Fetched = {
  geocoded: { address: PostalAddress; found: GeocodingResult }[]
  verdicts: Map<string, PhotoVerdict[]>
  failure: ApiError | null
}

type WantedPlace = { item: Fetched; address: PostalAddress }
type WantedPhotos = { item: Fetched; urls: readonly string[]; download: Download }

/** @param isCharged whether photos count toward the agency's daily limit */
export function openFetches(deps: Deps, agencyId: string, isCharged = true): FetchesOfWrite {
  const fetched = new Map<number, Fetched>()
  const stored = new Set<string>()
  let wanted: (WantedPlace | WantedPhotos)[] = []
  let share: PhotoShare | null = deps.photos.share ?? null

  const fetchedFor = (index: number): Fetched => {
    const item = fetched.get(index) ?? { geocoded: [], verdicts: new Map(), failure: null }
    fetched.set(index, item)
    return item
  }
  const ofItem = (index: number): Fetches => ({
    locate(address) {
      const item = fetchedFor(index)
      const known = item.geocoded.find((one) => isSameAddress(one.address, address))
      if (known !== undefined) return known.found
      wanted.push({ item, address })
      // A stand-in with coordinates, because a later item may clear the coordinates that this item will get.
      return { status: 'found', pin: { lat: 0, lng: 0, status: 'approximate' } }
    },
    photos(urls, download) {
      const item = fetchedFor(index)
      if (item.failure !== null) throw item.failure
      const known = occurrences(urls).map(({ url, nth }) => item.verdicts.get(url)?.[nth])
      const missing = urls.filter((_url, at) => known[at] === undefined)
      if (missing.length === 0) return known as PhotoVerdict[]
      wanted.push({ item, urls: missing, download })
      return standInsFor(urls)
    },
    isIncomplete: () => wanted.length > 0,
    isStored: (photo) => stored.has(photo),
    forget() {
      const item = fetchedFor(index)
      wanted = wanted.filter((one) => one.item !== item)
    },
    item: ofItem,
  })
  const discard = async (): Promise<void> => {
    const names = [...stored]
    stored.clear()
    await discardPhotos(deps.photos, agencyId, names)
  }

  return {
    ...ofItem(0),
    begin() {
      wanted = []
    },
    async fetch() {
      const places = wanted.flatMap((one) => ('address' in one ? one : []))
      const photos = wanted.flatMap((one) => ('urls' in one ? one : []))
      wanted = []
      if (photos.length > 0) share ??= openPhotoShare(await originalOf(deps.db, agencyId))
      const photoDeps = { ...deps.photos, ...(share && { share }) }
      const charge = isCharged ? chargeInTurn(deps, agencyId) : async () => {}
      const outcomes = await Promise.allSettled([
        locateAll(deps, places),
        ...photos.map((one) => downloadAll(photoDeps, one, charge, stored)),
      ])
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
    },
    discard,
    async restart() {
      await discard()
      fetched.clear()
    },
    verdicts: () => [...fetched.values()].flatMap(({ verdicts }) => [...verdicts.values()].flat()),
  }
}

/** Charges one after another: if the daily limit is nearly used up, the first items get the rest. */
function chargeInTurn({ db, clock, config }: Deps, agencyId: string): Charge {
  let last: Promise<void> = Promise.resolve()
  return (count) => {
    const charged = last.then(() =>
      inTransaction(db, (tx) => take(tx, 'photos', agencyId, count, config.limits, clock)),
    )
    last = charged.catch(() => {})
    return charged
  }
}

async function locateAll({ geocoder }: Deps, wanted: readonly WantedPlace[]): Promise<void> {
  if (wanted.length === 0) return
  const found = await geocoder.findMany(wanted.map(({ address }) => address))
  for (const [at, { item, address }] of wanted.entries())
    item.geocoded.push({ address, found: found[at] ?? { status: 'unavailable' } })
}

async function downloadAll(
  photos: IngestDeps,
  { item, urls, download }: WantedPhotos,
  charge: Charge,
  stored: Set<string>,
): Promise<void> {
  try {
    for (const verdict of await download(photos, urls, charge)) {
      const { url, status, photo } = verdict
      item.verdicts.set(url, [...(item.verdicts.get(url) ?? []), verdict])
      if (status === 'stored' && photo !== null) stored.add(photo)
    }
  } catch (error) {
    item.failure = asApiError(error)
  }
}

/** For a dry run: nothing is fetched, and each different URL counts as a picture. */
export const fetchNothing: FetchesOfWrite = {
  locate: () => ({ status: 'unavailable' }),
  photos: standInsFor,
  isStored: () => false,
  forget() {},
  item: () => fetchNothing,
  begin() {},
  isIncomplete: () => false,
  async fetch() {},
  async discard() {},
  async restart() {},
  verdicts: () => [],
}

const unexpected = (): never => {
  throw new Error('this write fetches nothing')
}

/** For a write that has no photos to fetch and no address to look up. */
export const noFetches: Fetches = {
  ...fetchNothing,
  locate: unexpected,
  photos: (urls) => (urls.length === 0 ? [] : unexpected()),
  item: () => noFetches,
}

function standInsFor(urls: readonly string[]): PhotoVerdict[] {
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

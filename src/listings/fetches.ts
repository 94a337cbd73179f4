/**
 * The photos and coordinates that a write gets from outside the database (platform/writing/write.ts). A run requests them and gets
 * stand-ins for those that are missing. These are fetched after the run, and the next run finds them.
 */
import { inTransaction } from '../platform/db/transaction.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors.ts'
import type { PostalAddress } from './geocoding/geocoder.ts'
import { payerOf } from '../limits/payer.ts'
import { take } from '../limits/take.ts'
import type { IngestDeps, PhotoVerdict } from './photos/ingest.ts'
import { contentHash, hashContent, newPhotoName, requestedUrl } from './photos/names-and-urls.ts'
import { openPhotoShare, type PhotoShare } from './photos/share.ts'
import { discardPhotos } from './photos/unreferenced.ts'
import type { Outside } from '../platform/writing/write.ts'
import { type Geocoded, isSameAddress } from './content.ts'

/** Stores the pictures of these URLs, or of files with these names. @param charge charges that many to the agency's daily limit */
export type Download = (
  photos: IngestDeps,
  urls: readonly string[],
  charge: (count: number) => Promise<void>,
) => Promise<PhotoVerdict[]>

/** Gives a write, or an item of a batch, its coordinates and photos, or stand-ins for those that are still missing. */
export type Fetches = {
  /** The coordinates of an address; null if there is none to look up. */
  locate(address: PostalAddress | null): Geocoded
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

type Wanted = { index: number } & (
  | { address: PostalAddress }
  | { urls: readonly string[]; download: Download }
)

/** `verdicts`: by URL, in the order in which the URL occurs. */
type Fetched = {
  geocoded: NonNullable<Geocoded>[]
  verdicts: Map<string, PhotoVerdict[]>
  failure: ApiError | null
}

export type FetchesOfWrite = Fetches &
  Outside & {
    /** The verdicts on all photos so far. */
    verdicts(): PhotoVerdict[]
  }

/** @param isCharged whether photos count toward the agency's daily limit */
export function openFetches(deps: Deps, agencyId: string, isCharged = true): FetchesOfWrite {
  const fetched = new Map<number, Fetched>()
  const stored = new Set<string>()
  let wanted: Wanted[] = []
  let share: PhotoShare | null = deps.photos.share ?? null

  const of = (index: number): Fetched => {
    const one = fetched.get(index) ?? { geocoded: [], verdicts: new Map(), failure: null }
    fetched.set(index, one)
    return one
  }
  const discard = async (): Promise<void> => {
    const names = [...stored]
    stored.clear()
    await discardPhotos(deps.photos, agencyId, names)
  }

  const fetch = async (): Promise<void> => {
    const now = wanted
    wanted = []
    const addresses = now.flatMap((one) => ('address' in one ? one : []))
    const photos = now.flatMap((one) => ('urls' in one ? one : []))
    if (photos.length > 0) share ??= openPhotoShare(await payerOf(deps.db, agencyId))
    // One at a time: if the daily limit is nearly used up, the first items get the rest.
    let charges: Promise<unknown> = Promise.resolve()
    const charge = (count: number): Promise<void> => {
      const charged = charges.then(async () => {
        if (isCharged && count > 0)
          await inTransaction(deps.db, (tx) =>
            take(tx, 'photos', agencyId, count, deps.config.limits, deps.clock),
          )
      })
      charges = charged.catch(() => {})
      return charged
    }
    const outcomes = await Promise.allSettled([
      locateAll(addresses),
      ...photos.map((one) => downloadFor(one, charge)),
    ])
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  }
  const locateAll = async (wanted: readonly { index: number; address: PostalAddress }[]): Promise<void> => {
    if (wanted.length === 0) return
    const found = await deps.geocoder.findMany(wanted.map(({ address }) => address))
    for (const [at, { index, address }] of wanted.entries())
      of(index).geocoded.push({ address, found: found[at] ?? { status: 'unavailable' } })
  }
  const downloadFor = async (
    { index, urls, download }: { index: number; urls: readonly string[]; download: Download },
    charge: (count: number) => Promise<void>,
  ): Promise<void> => {
    const { verdicts } = of(index)
    try {
      for (const verdict of await download({ ...deps.photos, ...(share && { share }) }, urls, charge)) {
        verdicts.set(verdict.url, [...(verdicts.get(verdict.url) ?? []), verdict])
        if (verdict.status === 'stored' && verdict.photo !== null) stored.add(verdict.photo)
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      of(index).failure = error
    }
  }

  const item = (index: number): Fetches => ({
    locate(address) {
      if (address === null) return null
      const known = of(index).geocoded.find((one) => isSameAddress(one.address, address))
      if (known !== undefined) return known
      wanted.push({ index, address })
      return standInFor(address)
    },
    photos(urls, download) {
      const { verdicts, failure } = of(index)
      if (failure !== null) throw failure
      const known = occurrences(urls).map(({ url, nth }) => verdicts.get(url)?.[nth])
      const missing = urls.filter((_url, at) => known[at] === undefined)
      if (missing.length === 0) return known as PhotoVerdict[]
      wanted.push({ index, urls: missing, download })
      return standInsFor(urls)
    },
    isIncomplete: () => wanted.length > 0,
    isStored: (photo) => stored.has(photo),
    forget() {
      wanted = wanted.filter((one) => one.index !== index)
    },
    item,
  })

  return {
    ...item(0),
    begin() {
      wanted = []
    },
    fetch,
    discard,
    async restart() {
      await discard()
      fetched.clear()
    },
    verdicts: () => [...fetched.values()].flatMap(({ verdicts }) => [...verdicts.values()].flat()),
  }
}

/** For a dry run: nothing is fetched. A location is unknown, and each different URL counts as a picture. */
export const fetchNothing: FetchesOfWrite = {
  locate: () => null,
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
  locate: (address) => (address === null ? null : unexpected()),
  photos: (urls) => (urls.length === 0 ? [] : unexpected()),
  item: () => noFetches,
}

/** Has coordinates, because a later item may remove those that this one will get. */
function standInFor(address: PostalAddress): Geocoded {
  return { address, found: { status: 'found', pin: { lat: 0, lng: 0, status: 'approximate' } } }
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

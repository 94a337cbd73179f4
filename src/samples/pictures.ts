/**
 * The demonstration's pictures, WebP files named for what they show, such as `kitchen-2`, and dependencies for storing its listings: photos
 * come from the demonstration's own pictures, nothing is geocoded, and no limit applies.
 */
import { basename } from 'node:path'
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import type { Deps } from '../deps.ts'
import { noGeocoder } from '../listings/geocoding/geocoder.ts'
import { limitsWith } from '../limits/table.ts'
import type { PhotoDownloader } from '../listings/photos/download.ts'
import type { Picture } from '../listings/photos/image.ts'
import { hashContent, photoSizes } from '../listings/photos/names-and-urls.ts'

/** Limits do not apply to the demonstration. */
export const unlimited = limitsWith({
  state_changes_per_day: 1000,
  disables_per_day: 1000,
  enables_per_day: 1000,
  photos_per_day: 100_000,
  new_listings_per_hour: 100_000,
  new_listings_per_day: 100_000,
})

/** Remembers scaled pictures, because several listings share them. */
export type PictureMemory = Readonly<{
  read: (url: string) => Promise<Buffer>
  scale: (hash: string, bytes: Uint8Array) => Promise<Picture>
}>

export function pictureMemory(): PictureMemory {
  return {
    read: once((url: string) => readDemoPicture(basename(url, '.webp'))),
    scale: once((_hash: string, bytes: Uint8Array) => scaleDemoPicture(bytes)),
  }
}

/** The URL that `withPictures` resolves to a picture. */
export function pictureUrl({ config }: Pick<Deps, 'config'>, name: string): string {
  return `${new URL(config.publicBaseUrl).origin}/samples/${name}.webp`
}

/** @param agencyId whose listings are stored */
export function withPictures(deps: Deps, agencyId: string, { read, scale }: PictureMemory): Deps {
  const { signal: never } = new AbortController()
  return {
    ...deps,
    limits: unlimited,
    // A start must not wait for a geocoder, and some listings are meant to have no pin.
    geocoder: noGeocoder,
    photos: {
      ...deps.photos,
      allow: { hosts: [], origins: [new URL(deps.config.publicBaseUrl).origin] },
      download: read,
      read: (bytes) => scale(hashContent(bytes), bytes),
      // The pictures are local, so neither time nor concurrency needs a limit.
      share: { payer: agencyId, ends: never, take: (work) => work() },
    },
  }
}

/** Runs the work once per name; again after a failure. */
function once<Rest extends unknown[], Result>(work: (name: string, ...rest: Rest) => Promise<Result>) {
  const known = new Map<string, Promise<Result>>()
  return (name: string, ...rest: Rest): Promise<Result> => {
    const result = known.get(name) ?? work(name, ...rest)
    known.set(name, result)
    result.catch(() => known.delete(name))
    return result
  }
}

/** The sample pictures for trying the photo operations; numbered from 1. */
export const samplePictures: readonly string[] = [
  'house-1',
  'living-1',
  'kitchen-1',
  'bedroom-1',
  'bathroom-1',
  'pool-1',
  'tower-1',
  'balcony-1',
  'heritage-1',
  'chalet-1',
  'corridor-1',
  'vineyard-1',
]

/**
 * A downloader that reads the service's own samples without a request: its public URL may lead through a proxy that it cannot reach
 * itself, or whose certificate it does not know.
 * @param origins the service's own
 */
export function withOwnSamples(download: PhotoDownloader, origins: readonly string[]): PhotoDownloader {
  return async (url, ...rest) => {
    const { origin, pathname } = URL.canParse(url) ? new URL(url) : { origin: '', pathname: '' }
    const number = /\/samples\/(\d{1,2})\.jpg$/.exec(pathname)?.[1]
    const name = origins.includes(origin) ? samplePictures[Number(number) - 1] : undefined
    return name === undefined ? await download(url, ...rest) : await readDemoJpeg(name)
  }
}

const pictureSize = { width: photoSizes.large, height: 1_067 }

/** @returns the picture as WebP */
async function readDemoPicture(name: string): Promise<Buffer> {
  return await readFile(new URL(`pictures/${name}.webp`, import.meta.url))
}

/** @returns the same picture as JPEG */
export async function readDemoJpeg(name: string): Promise<Buffer> {
  return await sharp(await readDemoPicture(name))
    .jpeg({ quality: 80 })
    .toBuffer()
}

/** The stored sizes of a picture. The file itself is the largest, so only the others are made. */
async function scaleDemoPicture(large: Uint8Array): Promise<Picture> {
  const [medium, small] = await Promise.all([scale(large, photoSizes.medium), scale(large, photoSizes.small)])
  return { large: { bytes: Buffer.from(large), ...pictureSize }, medium, small }
}

async function scale(picture: Uint8Array, width: number): Promise<Picture['small']> {
  // More effort saves 4% of the bytes and takes 1.5 times as long; a first start waits for forty pictures.
  const { data, info } = await sharp(picture)
    .resize({ width })
    .webp({ effort: 2 })
    .toBuffer({ resolveWithObject: true })
  return { bytes: data, width: info.width, height: info.height }
}

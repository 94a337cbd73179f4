/**
 * The order that a list of URLs gives to a listing's photos (api.md 13.7). Pure: what the URLs mean is known, and what was downloaded for
 * them is stored.
 */
import { sizeLimits } from '../../limits/table.ts'
import type { PhotoVerdict } from '../photos/ingest.ts'
import { contentHash } from '../photos/names-and-urls.ts'
import { StaleWrite } from '../../platform/writing/write.ts'
import { type PhotoResult, shownFailure } from './uploads.ts'

/** A URL with what it means. */
export type Named = {
  url: string
  /** The photo of the listing that the URL is, or that came from it. */
  known: string | null
  /** Null if nothing was downloaded; then `known` is a photo. */
  download: PhotoVerdict | null
}

export type SetStatus = 'stored' | 'kept' | 'duplicate' | 'failed'

export type Arranged = {
  photos: string[]
  /** One for each URL. */
  results: PhotoResult<SetStatus>[]
  /** Photos that the listing had and has no more. */
  removed: string[]
  /** Photos that no URL names, kept behind the others because a download failed. */
  behind: string[]
}

/**
 * Puts the photos in the order of the URLs. Each has the position of the first URL that means it.
 * @param before the listing's photos as they are now
 * @throws StaleWrite if a photo that a URL means, or that a download repeats, is gone
 */
export function arrange(before: readonly string[], named: readonly Named[]): Arranged {
  const present = new Set(before)
  const byHash = new Map(before.map((photo) => [contentHash(photo), photo]))
  const order: string[] = []
  const positionOf = (photo: string): { isFirst: boolean; position: number } => {
    const position = order.indexOf(photo)
    if (position >= 0) return { isFirst: false, position }
    return { isFirst: true, position: order.push(photo) - 1 }
  }

  const results = named.map(({ url, known: was, download }): PhotoResult<SetStatus> => {
    const known = was !== null && present.has(was) ? was : null
    if (download?.status === 'failed') {
      if (known !== null) positionOf(known)
      return { url, status: 'failed', photo: null, position: null, ...shownFailure(download) }
    }
    const photo = download === null ? known : pictureOf(download, byHash)
    if (photo === null) throw new StaleWrite()
    const { isFirst, position } = positionOf(photo)
    const status = !isFirst
      ? 'duplicate'
      : photo === known
        ? 'kept'
        : present.has(photo)
          ? 'duplicate'
          : 'stored'
    return { url, status, photo, position, reason: null, why: null }
  })

  const hasFailures = results.some(({ status }) => status === 'failed')
  const unnamed = before.filter((photo) => !order.includes(photo))
  const behind = hasFailures ? unnamed.slice(0, sizeLimits.photos_per_listing - order.length) : []
  return { photos: [...order, ...behind], results, removed: unnamed.slice(behind.length), behind }
}

/** The photo that shows what was downloaded: one that the listing has, or else the upload. Null if it repeats one that is gone. */
function pictureOf({ status, photo }: PhotoVerdict, byHash: Map<string, string>): string | null {
  if (photo === null) return null
  const hash = contentHash(photo)
  if (status === 'stored' && !byHash.has(hash)) byHash.set(hash, photo)
  return byHash.get(hash) ?? null
}

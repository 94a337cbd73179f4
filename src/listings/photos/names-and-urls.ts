/**
 * Names of a stored picture: in `properties.photos`, as storage keys, as public URLs (api.md 13.3); and the URL that it came from.
 *
 * A name is `<content hash>.<mark>`. The hash identifies the picture; the mark, random for each upload, keeps two uploads from
 * sharing files, so that a failed upload can delete its own.
 */
import { createHash, randomInt } from 'node:crypto'
import { asPublicId, isUuid } from '../../platform/names/ids.ts'

/** Longest side of each stored size, in pixels. */
export const photoSizes = Object.freeze({ large: 1_600, medium: 800, small: 320 })
export type PhotoSize = keyof typeof photoSizes
export const photoSizeNames = Object.freeze(Object.keys(photoSizes) as PhotoSize[])

const hashLength = 43
const markLength = 8
const markAlphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const namePattern = /^[A-Za-z0-9_-]{43}\.[A-Za-z0-9]{8}$/

/** The content hash of a picture as downloaded: SHA-256 in base64url, 43 characters. */
export function hashContent(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url')
}

/** A new name for the picture with that content hash. */
export function newPhotoName(hash: string): string {
  let mark = ''
  for (let i = 0; i < markLength; i++) mark += markAlphabet[randomInt(markAlphabet.length)]
  return `${hash}.${mark}`
}

/** The content hash within a name: equal for the same picture, however often it was uploaded. */
export function contentHash(photo: string): string {
  return photo.slice(0, hashLength)
}

export function isPhotoName(text: string): boolean {
  return namePattern.test(text)
}

export function isPhotoSize(text: string): text is PhotoSize {
  return Object.hasOwn(photoSizes, text)
}

/** The file for link previews, besides a picture's sizes. */
export const previewFile = 'preview.jpg'

/** Storage key of a picture's preview, which exists once it has been requested. */
export function previewKey(agencyId: string, photo: string): string {
  return `${agencyId}/${photo}/${previewFile}`
}

/** Public URL of the preview of a listing's picture. `baseUrl` has no trailing slash. */
export function previewUrl(baseUrl: string, agencyId: string, publicId: string, photo: string): string {
  return `${photosUrl(baseUrl, agencyId, publicId)}${photo}/${previewFile}`
}

/** Path of a file of an agency's logo. */
export function logoPath(agencyId: string, logo: string, file: string): string {
  return `/logos/${agencyId}/${logo}/${file}`
}

/** Storage key of one size of a picture. */
export function photoKey(agencyId: string, photo: string, size: PhotoSize): string {
  return `${agencyId}/${photo}/${size}.webp`
}

/** All files that a picture can have, with their storage keys. The preview exists once it has been requested. */
export function filesOfPhoto(agencyId: string, photo: string): { file: string; key: string }[] {
  return [
    ...photoSizeNames.map((size) => ({ file: `${size}.webp`, key: photoKey(agencyId, photo, size) })),
    { file: previewFile, key: previewKey(agencyId, photo) },
  ]
}

/** The common beginning of the public URLs of a listing's pictures. `baseUrl` has no trailing slash. */
export function photosUrl(baseUrl: string, agencyId: string, publicId: string): string {
  return `${baseUrl}/photos/${agencyId}/${publicId}/`
}

/** The rest of such a URL. */
export function photoFile(photo: string, size: PhotoSize): string {
  return `${photo}/${size}.webp`
}

/** Public URL of one size of a listing's picture. `baseUrl` has no trailing slash. */
export function photoUrl(
  baseUrl: string,
  agencyId: string,
  publicId: string,
  photo: string,
  size: PhotoSize,
): string {
  return photosUrl(baseUrl, agencyId, publicId) + photoFile(photo, size)
}

/** Control characters, or spaces around a URL. The URL parser silently drops these, which may change the URL's meaning. */
export function hasStrayCharacters(url: string): boolean {
  return /\p{Cc}|^\s|\s$/u.test(url)
}

/** The parts of a picture's URL, whether or not the picture exists. */
type NamedPhoto = { agencyId: string; publicId: string; photo: string | null }

/**
 * Parses a URL of the service's pictures in any spelling: case of scheme and host, default port, query and fragment make no difference, as
 * when the picture is served.
 * @param baseUrl without a trailing slash
 * @returns null for any other URL; `photo` null if its rest is not the name of a picture and a size
 */
export function readPhotoUrl(url: string, baseUrl: string): NamedPhoto | null {
  if (hasStrayCharacters(url) || !/^https?:\/\/[^/]/i.test(url) || !URL.canParse(url)) return null
  const { origin, pathname, username, password } = new URL(url)
  const base = new URL(`${baseUrl}/photos/`)
  if (origin !== base.origin || !pathname.startsWith(base.pathname) || username + password !== '') return null
  const [agency = '', listing = '', photo = '', file = '', ...rest] = pathname
    .slice(base.pathname.length)
    .split('/')
  const publicId = asPublicId(listing)
  if (!isUuid(agency) || publicId === null) return null
  const size = file.endsWith('.webp') ? file.slice(0, -'.webp'.length) : ''
  const isWhole = isPhotoName(photo) && isPhotoSize(size) && rest.length === 0
  return { agencyId: agency.toLowerCase(), publicId, photo: isWhole ? photo : null }
}

/** The picture that a URL below a listing's photo URLs names, whether or not the listing has it; null for any other URL. */
export function namedPhoto(
  url: string,
  baseUrl: string,
  listing: { agency_id: string; public_id: string },
): NamedPhoto | null {
  const named = readPhotoUrl(url, baseUrl)
  return named?.agencyId === listing.agency_id && named.publicId === listing.public_id ? named : null
}

/** The source's URL in its normal form without fragment: equal for URLs that give the same request. */
export function requestedUrl(text: string): string {
  const url = new URL(text)
  url.hash = ''
  return url.href
}

/** The distinct requests of the URLs. */
export function requestedUrls(urls: readonly string[]): string[] {
  return [...new Set(urls.map(requestedUrl))]
}

/** Recognises a stored picture's source without storing its URL, which may contain tokens: SHA-256 in base64url. */
export function sourceFingerprint(text: string): string {
  return createHash('sha256').update(requestedUrl(text)).digest('base64url')
}

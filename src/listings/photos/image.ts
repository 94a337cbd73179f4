/**
 * Checks a downloaded file by decoding it, and makes the stored sizes (api.md 13.2: JPEG, PNG or WebP only).
 * Only the pixels of the original are kept: no location, owner or camera leaves with a photo.
 */
import sharp, { type Metadata, type Raw, type Sharp } from 'sharp'
import { photoSizeNames, photoSizes, type PhotoSize } from './names-and-urls.ts'
import { abortable, createLimiter } from '../../platform/concurrency.ts'
import { photoBudgets } from '../../limits/sizes.ts'
import { PhotoDelayed, PhotoFailure } from './failure.ts'
import { messageOf } from '../../platform/errors/errors.ts'

/** The stored sizes of one picture, WebP, upright, without metadata. */
export type Picture = Record<PhotoSize, { bytes: Buffer; width: number; height: number }>

// Hostile files attack decoders, so only these three of libvips run in this process.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
})
// No picture is decoded twice, and one thread per picture is enough.
sharp.cache(false)
sharp.concurrency(1)

// In megapixels of 2^20: covers the 8192 × 6144 of 50-megapixel phones.
const maxPixels = photoBudgets.megapixels * 2 ** 20
const quality = 80
/**
 * Pictures decoded at a time in this process: each takes a core, and some of libuv's four threads must stay free. One per agency, so that
 * no other agency waits behind its large ones.
 */
const working = createLimiter(2, 1)

// The first bytes of JPEG, PNG and WebP; WebP has the file's length between its two words.
const signatures = [/^ffd8ff/, /^89504e470d0a1a0a/, /^52494646.{8}57454250/]

/**
 * Decodes the picture (the first frame of an animated one) and makes its sizes; a small one is never enlarged.
 * @param payer the agency that it is decoded for (limits/real-agency.ts)
 * @throws PhotoFailure when it is not a complete JPEG, PNG or WebP picture of at most 50 megapixels, or takes too much memory; PhotoDelayed
 *   when decoding took too long; the signal's reason when that aborts; any other error is not the picture's fault
 */
export async function readPicture(bytes: Uint8Array, payer = '', signal?: AbortSignal): Promise<Picture> {
  if (bytes.length === 0) throw new PhotoFailure({ kind: 'empty' })
  return abortable(
    working(() => convert(bytes), { party: payer, signal }),
    signal,
  )
}

async function convert(sent: Uint8Array): Promise<Picture> {
  const start = Buffer.from(sent.subarray(0, 12)).toString('hex')
  if (!signatures.some((signature) => signature.test(start))) throw new PhotoFailure({ kind: 'no_picture' })
  const bytes = start.startsWith('ffd8') ? withPlainHeader(sent) : sent
  await checkSize(bytes)
  // Decoded once to the largest size; the smaller ones are made from it.
  const { data, info } = await decode(bytes)
  const raw = { width: info.width, height: info.height, channels: info.channels }
  const sizes: Partial<Picture> = {}
  for (const size of photoSizeNames) sizes[size] = await encode(data, raw, photoSizes[size])
  return sizes as Picture
}

/** The format that link previews show uncropped (1.91 : 1). */
export const previewSize = Object.freeze({ width: 1_200, height: 630 })
const previewQuality = 78
/** The side of the central square: some programs show only that. */
const previewMiddle = 560
const background = '#fff'
/** Separate from the slots of uploads, which visitors must not occupy. */
const previewing = createLimiter(1)

/**
 * A stored picture as a JPEG of `previewSize`: its middle, or with `contain` the whole on white, never enlarged.
 * @param read returns the picture once it is its turn, or null if there is none
 * @param payer the agency that it is made for (limits/real-agency.ts)
 * @throws WaitedTooLong when too many wait
 */
export async function makePreview(
  read: () => Promise<Uint8Array | null>,
  payer: string,
  fit: 'cover' | 'contain',
): Promise<Buffer | null> {
  const make = async (): Promise<Buffer | null> => {
    const stored = await read()
    if (stored === null) return null
    const picture = sharp(stored, { limitInputPixels: maxPixels }).flatten({ background })
    const preview = fit === 'cover' ? picture.resize(previewSize) : await onWhite(picture)
    return preview.jpeg({ quality: previewQuality, progressive: true }).toBuffer()
  }
  return previewing(make, { party: payer, maxWaitMs: photoBudgets.waitSeconds * 1_000 })
}

async function onWhite(picture: Sharp): Promise<Sharp> {
  const size = { width: previewMiddle, height: previewMiddle }
  const input = await picture
    .resize({ ...size, fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer()
  return sharp({ create: { ...previewSize, channels: 3, background } }).composite([{ input }])
}

async function checkSize(bytes: Uint8Array): Promise<void> {
  const header = await sharp(bytes, { failOn: 'error', limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => {
      throw verdictOn(error)
    })
  if (header.width * header.height > maxPixels)
    throw new PhotoFailure({ kind: 'too_many_pixels', megapixels: photoBudgets.megapixels })
  if (decodingBytes(header) > photoBudgets.decodeBytes) throw new PhotoFailure({ kind: 'too_much_memory' })
}

/** Per column of a PNG: many rows are scaled down at a time. Measured with up to a million pixels in a row. */
const bytesOfColumn = 2_500

/**
 * Estimates from the header the maximum bytes that decoding takes: a file of half a megabyte can need a gigabyte. The decoder keeps all
 * coefficients of a progressive JPEG, 2 bytes each, and all pixels of an interlaced PNG; JPEGs and WebPs are otherwise scaled down as they
 * are read. Measured on pictures of every kind (docs/operations/sizing.md).
 */
function decodingBytes({ format, width, height, channels, depth, isProgressive }: Metadata): number {
  const samples = width * height * channels
  if (format === 'jpeg' && isProgressive) return samples * 2
  // A 16-bit sample takes 2 bytes as decoded. Samples that are being scaled down add about half as much again.
  if (format === 'png') return samples * (depth === 'ushort' ? 3 : 1) + width * bytesOfColumn
  return samples
}

/**
 * Decodes to the largest size, in sRGB, since the colour profile is dropped. The first pass is strict: if a JPEG's data end early, libjpeg
 * only warns and fills the rest with grey.
 */
async function decode(bytes: Uint8Array) {
  const attempt = (failOn: 'warning' | 'error') =>
    sharp(bytes, { failOn, limitInputPixels: maxPixels })
      .timeout({ seconds: photoBudgets.decodeSeconds })
      .autoOrient()
      .resize({ width: photoSizes.large, height: photoSizes.large, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
  try {
    return await attempt('warning').catch((error: unknown) => {
      if (harmless.test(messageOf(error))) return attempt('error')
      throw error
    })
  } catch (error) {
    throw verdictOn(error)
  }
}

/** Classifies a decoder failure: damage, unless time or memory ran out. */
export function verdictOn(error: unknown): unknown {
  const message = messageOf(error)
  if (message.startsWith('timeout:')) return new PhotoDelayed({ kind: 'slow_to_decode' }, { cause: error })
  if (/memory|too many open files/i.test(message)) return error
  return new PhotoFailure({ kind: 'damaged' }, { cause: error })
}

async function encode(data: Buffer, raw: Raw, side: number): Promise<Picture[PhotoSize]> {
  const { data: bytes, info } = await sharp(data, { raw })
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .webp({ quality })
    .toBuffer({ resolveWithObject: true })
  return { bytes, width: info.width, height: info.height }
}

/**
 * Warnings of libjpeg that do not concern the pixels: odd headers, and padding between scans, which cameras and editors write. libjpeg
 * reports only its first warning.
 */
const harmless =
  /extraneous bytes before marker|unknown JFIF revision|Unknown Adobe color transform|Invalid SOS parameters|Inconsistent progression/

/** The JPEG without stray bytes between its header segments: their warning would hide a warning about missing pixels. */
function withPlainHeader(bytes: Uint8Array): Uint8Array {
  const kept = [bytes.subarray(0, 2)]
  let from = 2
  let stray = 0
  for (;;) {
    const at = nextMarker(bytes, from)
    if (at === null) return bytes
    stray += at - from
    // Here the scans begin: keep the rest.
    if (bytes[at + 1] === 0xda) {
      kept.push(bytes.subarray(at))
      return stray === 0 ? bytes : Buffer.concat(kept)
    }
    const end = at + 2 + ((bytes[at + 2] ?? 0) << 8) + (bytes[at + 3] ?? 0)
    kept.push(bytes.subarray(at, end))
    from = end
  }
}

/** The offset of the next segment that has a length. */
function nextMarker(bytes: Uint8Array, from: number): number | null {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1] ?? 0
    if (marker >= 0xc0 && marker < 0xff && (marker < 0xd0 || marker > 0xd9)) return at
  }
  return null
}

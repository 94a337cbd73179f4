/**
 * Estimates the memory for decoding a picture from its header: a file of half a megabyte can need a gigabyte.
 */
import type { Metadata } from 'sharp'

/** Measured with PNGs of up to a million pixels in a row, whose rows are scaled down many at a time. */
const bytesOfColumn = 2_500

/**
 * The maximum bytes that decoding takes. The decoder keeps all coefficients of a progressive JPEG, 2 bytes each, and all pixels of an
 * interlaced PNG; JPEGs and WebPs are otherwise scaled down as they are read. Measured on pictures of every kind
 * (docs/operations/sizing.md).
 */
export function decodingBytes({ format, width, height, channels, depth, isProgressive }: Metadata): number {
  const samples = width * height * channels
  if (format === 'jpeg' && isProgressive) return samples * 2
  // 16 bits take 2 bytes as decoded, and as much again of those that are being scaled down.
  if (format === 'png') return samples * (depth === 'ushort' ? 3 : 1) + width * bytesOfColumn
  return samples
}

/**
 * Draws src/site/assets/favicon.ico from icon.svg beside it: PNG pictures of 16, 32 and 48 pixels in one file.
 *   node scripts/favicon.ts
 */
import { readFileSync, writeFileSync } from 'node:fs'
import sharp from 'sharp'

const folder = new URL('../src/site/assets/', import.meta.url)
const drawing = readFileSync(new URL('icon.svg', folder))
const sizes = [16, 32, 48]

const pictures = await Promise.all(
  sizes.map((size) =>
    sharp(drawing, { density: 72 * (size / 32) })
      .resize(size, size)
      .png({ compressionLevel: 9, palette: true })
      .toBuffer(),
  ),
)
const head = Buffer.alloc(6 + 16 * sizes.length)
head.writeUInt16LE(1, 2)
head.writeUInt16LE(sizes.length, 4)
let offset = head.length
sizes.forEach((size, index) => {
  const { length } = pictures[index] as Buffer
  const at = 6 + 16 * index
  head.writeUInt8(size, at)
  head.writeUInt8(size, at + 1)
  head.writeUInt16LE(1, at + 4)
  head.writeUInt16LE(32, at + 6)
  head.writeUInt32LE(length, at + 8)
  head.writeUInt32LE(offset, at + 12)
  offset += length
})
writeFileSync(new URL('favicon.ico', folder), Buffer.concat([head, ...pictures]))

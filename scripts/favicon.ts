/**
 * `node scripts/favicon.ts`: draws two files of src/pages/site/assets from icon.svg in the same folder: favicon.ico, with PNG images of 16,
 * 32 and 48 pixels, and preview.jpg, the preview image of shared links to pages that belong to no agency.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import sharp from 'sharp'

const folder = new URL('../src/pages/site/assets/', import.meta.url)
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

/** Houses along the bottom of the preview, from left to right: x, width, and height of the walls, in pixels. */
const roofs = [
  [-40, 210, 120],
  [150, 150, 190],
  [280, 240, 110],
  [500, 180, 60],
  [660, 170, 95],
  [810, 250, 150],
  [1040, 220, 215],
]
const houses = roofs.map(
  ([x = 0, width = 0, height = 0]) =>
    `M${x} 630v-${height}l${width / 2}-${width / 3} ${width / 2} ${width / 3}v${height}z`,
)
const [, mark = ''] = /<path d="([^"]+)"/.exec(String(drawing)) ?? []
const preview = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630">
  <rect width="1200" height="630" fill="#1f5a4c"/>
  <path d="${houses.join('')}" fill="#194a3f"/>
  <path transform="translate(376 52) scale(14)" d="${mark}" fill="#fbf9f4"/>
</svg>`
await sharp(Buffer.from(preview))
  .jpeg({ quality: 90, chromaSubsampling: '4:4:4', mozjpeg: true })
  .toFile(new URL('preview.jpg', folder).pathname)

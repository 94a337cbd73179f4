/** The demonstration's pictures: illustrations kept as WebP files, named for what they show: `kitchen-2`. */
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { photoSizes } from '../../listings/photos/names-and-urls.ts'
import type { Picture } from '../../listings/photos/image.ts'

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

const pictureSize = { width: photoSizes.large, height: 1_067 }

/** @returns the picture as WebP */
export async function readDemoPicture(name: string): Promise<Buffer> {
  return await readFile(new URL(`pictures/${name}.webp`, import.meta.url))
}

/** @returns the same picture as JPEG */
export async function readDemoJpeg(name: string): Promise<Buffer> {
  return await sharp(await readDemoPicture(name))
    .jpeg({ quality: 80 })
    .toBuffer()
}

/** The stored sizes of a picture. The file itself is the largest, so only the others are made. */
export async function scaleDemoPicture(large: Uint8Array): Promise<Picture> {
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

/** The demonstration's pictures: real, distinct, and exactly those that the listings name. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import sharp from 'sharp'
import { photoSizes } from '../../src/listings/photos/names-and-urls.ts'
import { demoAgencies } from '../../src/samples/listings.ts'
import { pictureMemory, samplePictures } from '../../src/samples/pictures.ts'

const { read, scale } = pictureMemory()

const files = readdirSync(new URL('../../src/samples/pictures/', import.meta.url)).map((file) =>
  file.replace(/\.webp$/, ''),
)

test('the named demonstration pictures exist, and no others', () => {
  const shown = demoAgencies.flatMap(({ listings }) => listings.flatMap(({ pictures }) => pictures))
  assert.deepEqual([...new Set([...shown, ...samplePictures])].sort(), files.sort())
})

test('each demonstration picture is a distinct WebP of 1,600 pixels, and together they are small', async () => {
  const seen = new Set<string>()
  let total = 0
  for (const name of files) {
    const bytes = await read(`${name}.webp`)
    const { format, width, height } = await sharp(bytes).metadata()
    assert.deepEqual({ format, width, height }, { format: 'webp', width: 1_600, height: 1_067 }, name)
    // A smaller copy differs as much between pictures, and takes a third of the time.
    const copy = await sharp(bytes).resize({ width: 200 }).png().toBuffer()
    const { channels } = await sharp(copy).stats()
    for (const { stdev } of channels) assert.ok(stdev > 12, `${name}: ${stdev}`)
    seen.add(bytes.toString('base64'))
    total += bytes.length
  }
  assert.equal(seen.size, files.length)
  assert.ok(files.length >= 24 && files.length <= 40, String(files.length))
  assert.ok(total < 4_000_000, String(total))
})

test('a demonstration picture is stored unchanged, and in two smaller sizes', async () => {
  const bytes = await read('house-1.webp')
  const { large, medium, small } = await scale('', bytes)
  assert.ok(large.bytes.equals(bytes))
  for (const [made, wanted] of [
    [medium, photoSizes.medium],
    [small, photoSizes.small],
  ] as const) {
    const { format, width, height } = await sharp(made.bytes).metadata()
    assert.deepEqual({ format, width, height }, { format: 'webp', width: wanted, height: made.height })
    assert.ok(Math.abs(made.height / made.width - large.height / large.width) < 0.01)
  }
})

test('there are twelve distinct samples of pictures', () => {
  assert.equal(samplePictures.length, 12)
  assert.equal(new Set(samplePictures).size, 12)
})

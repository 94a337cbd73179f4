/**
 * Memory for decoding: two agencies simultaneously send the most expensive pictures of each kind. Those within the limit add at most the
 * memory in docs/operations/sizing.md; the others are rejected by their header.
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { photoBudgets } from '../../src/limits/sizes.ts'
import { ask } from '../support/ask.ts'
import { membersOf } from '../support/people.ts'
import { newService, type Service } from '../support/service.ts'

/** From docs/operations/sizing.md: two pictures at a time, and some megabytes for the requests. */
const maxMegabytes = 750

type Uploading = (bytes: Buffer) => Promise<string>

let service: Service
let agencies: Uploading[]
before(async () => {
  service = await newService()
  await service.start()
  const [one, two] = [await service.newAgency('one'), await service.newAgency('two')]
  const people = await membersOf(service, [one.id, two.id])
  agencies = await Promise.all(
    [one, two].map(async ({ key }, index) => {
      const { cookie, csrf } = people[index] ?? assert.fail()
      const write = { method: 'POST', path: '/properties', body: { title: 'Casa' }, idempotencyKey: key }
      const created = await ask(service.url, key, write)
      const path = `/dashboard/listings/${String(created?.body.data['id'])}/photos`
      return async (bytes: Buffer): Promise<string> => {
        const form = new FormData()
        form.append('_csrf', csrf)
        form.append('photo', new File([new Uint8Array(bytes)], 'a'))
        const headers = { cookie, accept: 'application/json' }
        const response = await fetch(`${service.url}${path}`, { method: 'POST', headers, body: form })
        const { message = '' } = (await response.json()) as { message?: string }
        return `${response.status} ${message}`
      }
    }),
  )
})
after(() => service.end())

const blank = (width: number, height: number, channels: 3 | 4) =>
  sharp({ create: { width, height, channels, background: { r: 200, g: 90, b: 50, alpha: 0.5 } } })
const interlaced = { progressive: true, compressionLevel: 9 }
const progressive = { progressive: true, chromaSubsampling: '4:4:4' }
/** The maximum number of rows that a picture may have within the decoding limit. */
const rows = (width: number, bytesOfPixel: number, bytesOfColumn = 0): number =>
  Math.floor((photoBudgets.decodeBytes - width * bytesOfColumn) / (width * bytesOfPixel))

const accepted = {
  'progressive JPEG, 50 megapixels': () => blank(8_192, 6_400, 3).jpeg(progressive),
  'progressive JPEG, CMYK': () => blank(8_192, rows(8_192, 8), 3).toColourspace('cmyk').jpeg(progressive),
  'interlaced PNG, 8 bits': () => blank(8_192, 6_400, 4).png(interlaced),
  'interlaced PNG, 16 bits': () =>
    blank(8_192, rows(8_192, 12, 2_500), 4)
      .toColourspace('rgb16')
      .png(interlaced),
  'wide PNG': () => blank(60_000, rows(60_000, 4, 2_500), 4).png(interlaced),
}
const refused = {
  'interlaced PNG, 16 bits, 50 megapixels': () =>
    blank(8_192, 6_400, 4).toColourspace('rgb16').png(interlaced),
  'PNG of a million columns': () => blank(1_000_000, 52, 4).png({ compressionLevel: 9 }),
}

function megabytes(name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${service.pid()}/status`, 'utf8')
  return Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1_000)
}

/** Both agencies send it at once. @returns their responses, and the peak growth of the process's memory */
async function measure(bytes: Buffer): Promise<{ responses: string[]; more: number }> {
  // Resets the peak.
  writeFileSync(`/proc/${service.pid()}/clear_refs`, '5')
  const before = megabytes('VmRSS')
  const responses = await Promise.all(agencies.map((upload) => upload(bytes)))
  return { responses, more: megabytes('VmHWM') - before }
}

for (const [what, picture] of Object.entries(accepted))
  test(`two of these take no more than documented: ${what}`, async (context) => {
    const { responses, more } = await measure(await picture().toBuffer())
    context.diagnostic(`${what}: ${more} MB for two at once`)
    for (const response of responses) assert.match(response, /^200 Saved/)
    assert.ok(more <= maxMegabytes, `${more} MB`)
  })

for (const [what, picture] of Object.entries(refused))
  test(`is refused by its header: ${what}`, async (context) => {
    const { responses, more } = await measure(await picture().toBuffer())
    context.diagnostic(`${what}: ${more} MB for two at once`)
    for (const response of responses) assert.match(response, /too much memory/)
    assert.ok(more <= 100, `${more} MB`)
  })

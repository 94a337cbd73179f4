/** An agency and its twin share one quota of every limit on concurrent work, and another agency has an equal one. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import sharp from 'sharp'
import { realAgencyId } from '../../src/limits/real-agency.ts'
import { readPicture } from '../../src/listings/photos/image.ts'
import { readPreview } from '../../src/pages/site/listing/preview.ts'
import { inStatementSlot, inTransactionSlot } from '../../src/writing/write-slots.ts'
import { signedIn, type Visitor } from '../pages/dashboard/visitor.ts'
import { photoUrls, picture, publishable, type TestApp, testApp } from '../support/app/app.ts'
import { listingOf } from '../support/app/listings.ts'
import { newTestKey } from '../support/app/test-key.ts'
import { until } from '../support/until.ts'

type Side = { id: string; key: string; person: Visitor; path: string; listing: string }
const names = ['own', 'twin', 'other'] as const
type Name = (typeof names)[number]

let t: TestApp
let sides: Readonly<Record<Name, Side>>
/** Downloads and decoding in progress, by the owner of the picture; they continue once the test lets them. */
let begun: Name[]
let go: PromiseWithResolvers<void>

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
const hold = async (name: Name): Promise<void> => {
  begun.push(name)
  await go.promise
}
const nameIn = (text: string): Name => names.find((name) => text.includes(name)) ?? assert.fail(text)

before(async () => {
  t = await testApp({
    source: async (url) => {
      if (url.includes('held')) await hold(nameIn(url))
      return await picture(url)
    },
  })
  const { key, twin } = await newTestKey(t, t.agency)
  const side = async (id: string, itsKey: string, agencyId: string, path: string): Promise<Side> => {
    const body = publishable({ photos: [], status: 'draft' })
    const created = await t.ask('POST', '/properties', { key: itsKey, body })
    assert.equal(created.status, 201, created.text)
    const person = await signedIn(t, 'member', agencyId)
    return { id, key: itsKey, person, path, listing: String(created.body.data['id']) }
  }
  sides = {
    own: await side(t.agency.id, t.writeKey, t.agency.id, '/dashboard'),
    twin: await side(twin.id, key, t.agency.id, '/dashboard/test'),
    other: await side(t.other.agency.id, t.other.writeKey, t.other.agency.id, '/dashboard'),
  }
})
after(() => t.close())
beforeEach(() => {
  begun = []
  go = Promise.withResolvers()
})

/** Starts more work on each side than its share. Asserts that exactly the share of each real agency begins, and lets it end. */
async function assertOneShare(start: (name: Name) => Promise<unknown>, share: number): Promise<void> {
  const all = names.flatMap((name) => Array.from({ length: 8 }, () => start(name)))
  const counted = () => {
    const other = begun.filter((name) => name === 'other').length
    return { together: begun.length - other, other }
  }
  await until(() => Math.min(...Object.values(counted())) >= share)
  for (let before = -1; before !== begun.length; await settle()) {
    before = begun.length
    // Requests still on their way through the application have been admitted by then.
    for (const { key } of Object.values(sides)) await t.ask('GET', '/me', { key })
  }
  const shares = counted()
  go.resolve()
  await Promise.all(all)
  assert.deepEqual(shares, { together: share, other: share })
}

describe('an agency and its twin share one quota', () => {
  for (const [what, turn, share] of [
    ['transaction slots', inTransactionSlot, 2],
    ['statement slots', inStatementSlot, 1],
  ] as const) {
    test(`of ${what}`, async () => {
      await assertOneShare((name) => turn(t.deps.db, sides[name].id, () => hold(name)), share)
    })
  }

  test('of downloads', async () => {
    await assertOneShare(async (name) => {
      const body = publishable({ photos: photoUrls(3, `held-${name}-${randomUUID()}`) })
      const { status, text } = await t.ask('POST', '/properties', { key: sides[name].key, body })
      assert.equal(status, 201, text)
    }, 5)
  })

  test('of uploads', async () => {
    const { read = readPicture } = t.deps.photos
    t.deps.photos.read = async (bytes) => {
      const text = Buffer.from(bytes).toString()
      await hold(nameIn(text))
      return await read(await picture(text))
    }
    await assertOneShare(async (name) => {
      const { person, path, listing } = sides[name]
      const file = new File([`${name} ${randomUUID()}`], 'a.jpg')
      const { status, text } = await person.upload(`${path}/listings/${listing}/photos`, [['photo', file]])
      assert.equal(status, 303, text)
    }, 2)
    t.deps.photos.read = read
  })

  test('of decoding', async () => {
    const { read = readPicture } = t.deps.photos
    const decoded: Name[] = []
    const isDecoding = Promise.withResolvers<void>()
    t.deps.photos.read = async (bytes, ...more) => {
      const reading = read(bytes, ...more)
      isDecoding.resolve()
      const made = await reading
      decoded.push(nameIn(/decoded-\w+/.exec(Buffer.from(bytes).toString('latin1'))?.[0] ?? ''))
      return made
    }
    const send = async (name: Name, side: number) => {
      const background = { r: side % 256, g: 90, b: 50 }
      const bytes = await sharp({ create: { width: side, height: side, channels: 3, background } })
        .withExif({ IFD0: { ImageDescription: `decoded-${name}` } })
        .jpeg({ progressive: true })
        .toBuffer()
      const { person, path, listing } = sides[name]
      const file = new File([new Uint8Array(bytes)], 'a.jpg')
      await person.upload(`${path}/listings/${listing}/photos`, [['photo', file]])
    }
    const first = send('own', 6_000)
    await isDecoding.promise
    await Promise.all([first, send('twin', 60), send('other', 61)])
    t.deps.photos.read = read
    assert.deepEqual(decoded, ['other', 'own', 'twin'])
  })

  test('of previews', async () => {
    const { storage } = t.deps.photos
    const order: string[] = []
    /** How many have looked for a stored preview; after that they wait for their turn. */
    let looked = 0
    const photos = await Promise.all(
      names.map(async (name) => {
        const urls = photoUrls(3, `preview-${name}`)
        const body = publishable({ photos: urls })
        const created = await t.ask('POST', '/properties', { key: sides[name].key, body })
        const stored = listingOf(created).photos.map((url) => url.split('/').at(-2) ?? '')
        return [name, stored] as const
      }),
    ).then((all) => new Map(all))
    const held = {
      ...t.deps.photos,
      storage: {
        ...storage,
        read: async (key: string) => {
          if (!key.endsWith('large.webp')) return await storage.read(key).finally(() => (looked += 1))
          order.push(names.find((name) => photos.get(name)?.some((photo) => key.includes(photo))) ?? key)
          await go.promise
          return await storage.read(key)
        },
      },
    }
    const make = async (name: Name, index: number) => {
      const photo = photos.get(name)?.[index] ?? assert.fail()
      return await readPreview({ ...t.deps, photos: held }, sides[name].id, photo, 'cover')
    }
    const all: Promise<unknown>[] = []
    for (const [name, index] of [
      ['own', 0],
      ['own', 1],
      ['twin', 0],
      ['other', 0],
    ] as const) {
      all.push(make(name, index))
      await until(() => looked === all.length)
      await settle()
    }
    go.resolve()
    await Promise.all(all)
    // The twin's comes last, just as a third of the agency's own would.
    assert.deepEqual(order, ['own', 'other', 'own', 'twin'])
  })
})

test('an agency that does not exist yet pays for itself, and then as the agency once it exists', async () => {
  const { agency } = await t.newAgency()
  const before = randomUUID()
  assert.equal(await realAgencyId(t.deps.db, before), before)
  const { twin } = await newTestKey(t, agency)
  assert.equal(await realAgencyId(t.deps.db, twin.id), agency.id)
  assert.equal(await realAgencyId(t.deps.db, agency.id), agency.id)
})

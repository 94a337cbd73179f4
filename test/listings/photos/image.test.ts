/** Pictures are validated by decoding, and only pixels are stored (api.md 13.2). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { photoSizeNames } from '../../../src/listings/photos/names-and-urls.ts'
import { PhotoDelayed, PhotoFailure } from '../../../src/listings/photos/failure.ts'
import { readPicture, verdictOn } from '../../../src/listings/photos/image.ts'

const plain = (width: number, height: number, channels: 3 | 4 = 3): Sharp =>
  sharp({ create: { width, height, channels, background: { r: 240, g: 120, b: 10, alpha: 0.5 } } })
const noisy = (width: number, height: number): Sharp =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: 'grey',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })

async function pixel(bytes: Buffer, left: number, top: number): Promise<number[]> {
  return [...(await sharp(bytes).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer())]
}

const near = (actual: number[], expected: number[], by = 12): boolean =>
  actual.length === expected.length &&
  actual.every((value, index) => Math.abs(value - (expected[index] ?? 0)) <= by)

/** A PNG whose header has these dimensions; its pixels are missing, or all zero. */
function png(
  width: number,
  height: number,
  pixels: Buffer,
  { depth, colour, interlaced } = blackAndWhite,
): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const named = Buffer.concat([Buffer.from(type), data])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const check = Buffer.alloc(4)
    check.writeUInt32BE(crc32(named))
    return Buffer.concat([length, named, check])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, colour, 0, 0, interlaced], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** The same JPEG with these dimensions in its header. */
function claimStatement(jpeg: Buffer, width: number, height: number): Buffer {
  const bytes = Buffer.from(jpeg)
  let at = 2
  while (![0xc0, 0xc2].includes(bytes[at + 1] ?? 0)) at += 2 + bytes.readUInt16BE(at + 2)
  bytes.writeUInt16BE(height, at + 5)
  bytes.writeUInt16BE(width, at + 7)
  return bytes
}

/** As in the header of a PNG. */
const blackAndWhite = { depth: 1, colour: 0, interlaced: 0 }
const rgb = 2
const rgba = 6

async function refusal(bytes: Uint8Array): Promise<string> {
  const error: unknown = await readPicture(bytes).then(
    () => null,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof PhotoFailure, String(error))
  return error.message
}

describe('readPicture', () => {
  test('makes three WebP sizes of JPEG, PNG and WebP, by the longest side', async () => {
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      for (const [width, height, sizes] of [
        [2_000, 1_000, { large: [1_600, 800], medium: [800, 400], small: [320, 160] }],
        [900, 1_800, { large: [800, 1_600], medium: [400, 800], small: [160, 320] }],
      ] as const) {
        const picture = await readPicture(await plain(width, height).toFormat(format).toBuffer())
        for (const size of photoSizeNames) {
          assert.deepEqual([picture[size].width, picture[size].height], sizes[size])
          const made = await sharp(picture[size].bytes).metadata()
          assert.deepEqual([made.format, made.width, made.height], ['webp', ...sizes[size]])
          assert.ok(near(await pixel(picture[size].bytes, 9, 9), [240, 120, 10]))
        }
      }
    }
  })

  test('never enlarges, down to one pixel and to slivers', async () => {
    const tiny = await readPicture(await plain(1, 1).png().toBuffer())
    assert.deepEqual([tiny.large.width, tiny.medium.width, tiny.small.height], [1, 1, 1])
    const middling = await readPicture(await plain(500, 400).jpeg().toBuffer())
    assert.deepEqual([middling.large.width, middling.medium.width, middling.small.width], [500, 500, 320])
    const sliver = await readPicture(await plain(6_000, 2).png().toBuffer())
    assert.deepEqual(
      [sliver.large.width, sliver.large.height, sliver.small.width, sliver.small.height],
      [1_600, 1, 320, 1],
    )
  })

  test('accepts every kind of pixel: grey, 16 bits, palette, transparency, CMYK, progressive', async () => {
    const kinds = {
      grey: plain(60, 40).toColourspace('b-w').png(),
      greyAlpha: plain(60, 40, 4).toColourspace('b-w').png(),
      sixteenBit: plain(60, 40).toColourspace('rgb16').png(),
      palette: plain(60, 40).png({ palette: true, colours: 4 }),
      transparent: plain(60, 40, 4).webp(),
      cmyk: plain(60, 40).toColourspace('cmyk').jpeg(),
      progressive: plain(60, 40).jpeg({ progressive: true }),
      lossless: plain(60, 40).webp({ lossless: true }),
    }
    for (const [kind, image] of Object.entries(kinds)) {
      const { large } = await readPicture(await image.toBuffer())
      const made = await sharp(large.bytes).metadata()
      assert.deepEqual([made.width, made.height, made.space, made.depth], [60, 40, 'srgb', 'uchar'], kind)
      assert.equal(made.hasAlpha, kind === 'greyAlpha' || kind === 'transparent', kind)
      if (!kind.startsWith('grey'))
        assert.ok(near(await pixel(large.bytes, 30, 20), [240, 120, 10], 30), kind)
    }
  })

  test('rotates the picture upright, and strips its location, time and author', async () => {
    const camera = await plain(60, 40)
      .composite([
        {
          input: await sharp({ create: { width: 30, height: 40, channels: 3, background: 'blue' } })
            .png()
            .toBuffer(),
          left: 0,
          top: 0,
        },
      ])
      .withExif({
        IFD0: { Artist: 'SecretOwner' },
        IFD3: { GPSLatitude: '34/1 36/1 0/1', GPSLatitudeRef: 'S' },
      })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">SecretOwner</x:xmpmeta>')
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
      .toBuffer()
    const original = await sharp(camera).metadata()
    assert.ok(
      original.exif !== undefined && original.exif.includes('SecretOwner') && original.orientation === 6,
    )
    const picture = await readPicture(camera)
    assert.deepEqual([picture.large.width, picture.large.height], [40, 60])
    // Orientation 6 is rotated clockwise: the left side is now on top.
    assert.ok(near(await pixel(picture.large.bytes, 20, 10), [0, 0, 255], 30))
    assert.ok(near(await pixel(picture.large.bytes, 20, 50), [240, 120, 10], 30))
    for (const size of photoSizeNames) {
      const made = await sharp(picture[size].bytes).metadata()
      assert.deepEqual(
        [made.exif, made.xmp, made.iptc, made.icc, made.orientation],
        [undefined, undefined, undefined, undefined, undefined],
      )
      assert.equal(picture[size].bytes.includes('SecretOwner'), false)
    }
  })

  test('converts other colour spaces to sRGB before it drops the profile', async () => {
    const wide = await plain(40, 40).withIccProfile('p3').png().toBuffer()
    assert.ok((await sharp(wide).metadata()).icc !== undefined)
    const { large } = await readPicture(wide)
    assert.equal((await sharp(large.bytes).metadata()).icc, undefined)
    assert.ok(near(await pixel(large.bytes, 20, 20), [240, 120, 10]))
  })

  test('uses the first frame of an animation', async () => {
    const frame = async (background: string): Promise<Buffer> =>
      sharp({ create: { width: 50, height: 30, channels: 3, background } })
        .png()
        .toBuffer()
    const animation = await sharp([await frame('red'), await frame('green'), await frame('blue')], {
      join: { animated: true },
    })
      .webp()
      .toBuffer()
    assert.equal((await sharp(animation).metadata()).pages, 3)
    const { large } = await readPicture(animation)
    assert.deepEqual(
      [large.width, large.height, (await sharp(large.bytes).metadata()).pages],
      [50, 30, undefined],
    )
    assert.ok(near(await pixel(large.bytes, 20, 20), [255, 0, 0], 30))
  })

  test('refuses everything else, whatever its name', async () => {
    const others: Record<string, Uint8Array> = {
      gif: await plain(9, 9).gif().toBuffer(),
      tiff: await plain(9, 9).tiff().toBuffer(),
      avif: await plain(9, 9).avif().toBuffer(),
      svg: Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>',
      ),
      html: Buffer.from('<!doctype html><title>404</title>'),
      pdf: Buffer.from('%PDF-1.7\n%âãÏÓ\n'),
      ppm: Buffer.from('P6 1 1 255 abc'),
      csv: Buffer.from('1,2,3\n4,5,6\n'),
      vips: Buffer.from([0x08, 0xf2, 0xa6, 0xb6, 0, 0, 0, 1]),
      zeros: Buffer.alloc(2_000),
      zip: Buffer.from('PK\u0003\u0004'),
    }
    for (const [kind, bytes] of Object.entries(others)) {
      assert.equal(await refusal(bytes), 'The file is not a JPEG, PNG or WebP picture.', kind)
    }
    assert.equal(await refusal(Buffer.alloc(0)), 'The file is empty.')
  })

  test('refuses a truncated or scrambled picture', async () => {
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      const whole = await noisy(200, 150).toFormat(format).toBuffer()
      for (const part of [0.2, 0.5, 0.9, 0.999]) {
        assert.equal(
          await refusal(whole.subarray(0, Math.floor(whole.length * part))),
          'The picture is damaged or incomplete.',
          `${format} ${part}`,
        )
      }
    }
    for (const start of ['ffd8ff', 'ffd8ffe000104a46494600', '89504e470d0a1a0a']) {
      const error = await refusal(Buffer.concat([Buffer.from(start, 'hex'), Buffer.alloc(300)]))
      assert.match(error, /damaged|not a JPEG/, start)
    }
  })

  test('refuses every kind of picture with a header larger than its data', async () => {
    const jpeg = await noisy(300, 200).jpeg().toBuffer()
    const progressive = await noisy(300, 200).jpeg({ progressive: true }).toBuffer()
    const lossy = await noisy(300, 200).webp().toBuffer()
    lossy.writeUInt16LE(7_200, 26)
    lossy.writeUInt16LE(7_200, 28)
    const lossless = await noisy(300, 200).webp({ lossless: true }).toBuffer()
    lossless.writeUInt32LE(((lossless.readUInt32LE(21) & 0xf0000000) | (7_199 << 14) | 7_199) >>> 0, 21)
    const stray = claimStatement(jpeg, 7_200, 7_200)
    const scans = stray.indexOf(Buffer.from([0xff, 0xda]))
    const kinds = {
      large: claimStatement(jpeg, 7_200, 7_200),
      aLittleLarger: claimStatement(jpeg, 300, 216),
      progressive: claimStatement(progressive, 7_200, 7_200),
      withAHarmlessWarning: Buffer.concat([stray.subarray(0, scans), Buffer.alloc(3), stray.subarray(scans)]),
      lossy,
      lossless,
      png: png(7_200, 7_200, Buffer.alloc((300 / 8) * 200)),
    }
    for (const [kind, bytes] of Object.entries(kinds))
      assert.equal(await refusal(bytes), 'The picture is damaged or incomplete.', kind)
  })

  test('accepts unusual but complete pictures', async () => {
    const jpeg = await noisy(300, 200)
      .withExif({ IFD0: { Artist: 'Somebody' } })
      .jpeg()
      .toBuffer()
    const progressive = await noisy(300, 200).jpeg({ progressive: true }).toBuffer()
    const at = (bytes: Buffer, marker: number) => bytes.indexOf(Buffer.from([0xff, marker]))
    const insert = (bytes: Buffer, index: number, ...inserted: number[]) =>
      Buffer.concat([bytes.subarray(0, index), Buffer.from(inserted), bytes.subarray(index)])
    const jfif = Buffer.from([0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 9, 9, 0, 0, 1, 0, 1, 0, 0])
    const adobe = Buffer.from([0xff, 0xee, 0, 14, 0x41, 0x64, 0x6f, 0x62, 0x65, 0, 100, 0, 0, 0, 0, 7])
    const parameters = Buffer.from(jpeg)
    // Where the spectral selection of a sequential scan ends: 0 instead of 63.
    parameters[at(jpeg, 0xda) + 12] = 0
    const kinds = {
      strayBytes: insert(jpeg, at(jpeg, 0xda), 0, 1, 2),
      strayBytesAfterMetadata: insert(jpeg, at(jpeg, 0xdb), 0, 0, 0, 0),
      fillBytes: insert(jpeg, at(jpeg, 0xdb), 0xff, 0xff),
      paddedScan: insert(jpeg, jpeg.length - 2, 0, 0, 0, 0),
      paddedScans: insert(progressive, progressive.lastIndexOf(Buffer.from([0xff, 0xda])), 0, 0, 0),
      afterTheEnd: Buffer.concat([jpeg, Buffer.alloc(5_000, 7), jpeg]),
      anotherRevision: insert(jpeg, 2, ...jfif),
      anotherTransform: insert(jpeg, at(jpeg, 0xdb), ...adobe),
      parameters,
      brokenMetadata: insert(jpeg, 2, 0xff, 0xe1, 0, 12, 0x45, 0x78, 0x69, 0x66, 0, 0, 1, 2, 3, 4),
      comment: insert(jpeg, 2, 0xff, 0xfe, 0, 4, 0xff, 0xda),
      restarts: await sharp(jpeg).jpeg({ optimiseScans: true, trellisQuantisation: true }).toBuffer(),
    }
    for (const [kind, bytes] of Object.entries(kinds)) {
      const { large } = await readPicture(bytes).catch((error: Error) =>
        assert.fail(`${kind}: ${error.message}`),
      )
      assert.deepEqual([large.width, large.height], [300, 200], kind)
    }
  })

  test('does not call a picture damaged that took too long or ran out of the service’s memory', async () => {
    const late: unknown = await noisy(5_000, 5_000)
      .blur(90)
      .timeout({ seconds: 1 })
      .toBuffer()
      .catch((error: unknown) => error)
    assert.ok(verdictOn(late) instanceof PhotoDelayed, String(late))
    const ours = new Error('VipsJpeg: Insufficient memory (case 4)')
    assert.equal(verdictOn(ours), ours)
    assert.ok(verdictOn(new Error('VipsJpeg: premature end of JPEG image')) instanceof PhotoFailure)
  })

  test('decodes one picture of an agency at a time, so that other agencies need not wait', async () => {
    const heavy = png(8_192, 6_144, Buffer.alloc((8_192 / 8 + 1) * 6_144))
    const ends: string[] = []
    const read = async (agency: string, bytes: Buffer) => {
      await readPicture(bytes, agency)
      ends.push(agency)
    }
    const small = await plain(60, 40).jpeg().toBuffer()
    await Promise.all([read('one', heavy), read('one', heavy), read('one', heavy), read('other', small)])
    assert.equal(ends[0], 'other')
  })

  test('refuses more than 50 megapixels by the header, however few the bytes', async () => {
    for (const [width, height] of [
      [30_000, 30_000],
      [2_000_000, 1_000],
      [52_428_801, 1],
    ] as const) {
      assert.equal(
        await refusal(png(width, height, Buffer.alloc(10))),
        'The picture has more than 50 megapixels.',
        `${width} × ${height}`,
      )
    }
    assert.equal(await refusal(png(8_192, 6_400, Buffer.alloc(10))), 'The picture is damaged or incomplete.')
    assert.match(await refusal(png(0, 5, Buffer.alloc(10))), /damaged|not a JPEG/)
  })

  test('refuses by the header a picture that needs too much memory to decode, and no smaller one', async () => {
    const tooMuch = 'The picture takes too much memory to decode. Send it as an 8-bit RGB JPEG.'
    const damaged = 'The picture is damaged or incomplete.'
    for (const [width, height, depth, colour, said] of [
      [8_192, 6_400, 16, rgba, tooMuch],
      [8_192, 6_400, 16, rgb, tooMuch],
      [6_000, 4_000, 16, rgba, damaged],
      [8_192, 6_400, 8, rgba, damaged],
      [1_000_000, 52, 8, rgba, tooMuch],
      [52, 1_000_000, 8, rgba, damaged],
    ] as const) {
      for (const interlaced of [0, 1]) {
        const claimed = png(width, height, Buffer.alloc(10), { depth, colour, interlaced })
        assert.equal(await refusal(claimed), said, `${width} × ${height}, ${depth} bits, ${colour}`)
      }
    }
    const cmyk = await plain(60, 40).toColourspace('cmyk').jpeg({ progressive: true }).toBuffer()
    assert.equal(await refusal(claimStatement(cmyk, 8_192, 6_400)), tooMuch)
  })

  test('accepts a picture of 50 megapixels', async () => {
    const { large } = await readPicture(png(8_192, 6_144, Buffer.alloc((8_192 / 8 + 1) * 6_144)))
    assert.deepEqual([large.width, large.height], [1_600, 1_200])
  })

  test('stops waiting when aborted', async () => {
    await assert.rejects(
      readPicture(await plain(10, 10).png().toBuffer(), '', AbortSignal.abort(new Error('enough'))),
      { message: 'enough' },
    )
  })
})

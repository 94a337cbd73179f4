/** Names, keys and URLs of stored pictures (api.md 13.3). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  contentHash,
  hashContent,
  isPhotoName,
  isPhotoSize,
  namedPhoto,
  newPhotoName,
  photoKey,
  photoUrl,
} from '../../../src/listings/photos/names-and-urls.ts'

const agencyId = '01890a5d-ac96-774b-bcce-b302099a8057'
const photo = newPhotoName(hashContent(Buffer.from('picture')))
const base = 'https://listings.example/base'
const photoAt = (url: string, code: string) =>
  namedPhoto(url, base, { agency_id: agencyId, public_id: code })?.photo ?? null

describe('names of photos', () => {
  test('consist of the content hash and a mark of the upload', () => {
    const hash = hashContent(Buffer.from('picture'))
    assert.match(hash, /^[A-Za-z0-9_-]{43}$/)
    assert.ok(isPhotoName(photo))
    assert.equal(contentHash(photo), hash)
    assert.notEqual(newPhotoName(hash), newPhotoName(hash))
    assert.equal(contentHash(newPhotoName(hash)), contentHash(newPhotoName(hash)))
  })

  test('allow nothing else', () => {
    for (const text of [
      '',
      '..',
      photo.slice(1),
      `${photo}x`,
      `${photo}/`,
      `../${photo}`,
      photo.replace('.', '/'),
      `${photo}\n`,
    ])
      assert.equal(isPhotoName(text), false, text)
    for (const text of ['huge', '', 'toString', '__proto__', 'Large'])
      assert.equal(isPhotoSize(text), false, text)
  })
})

describe('URLs of photos', () => {
  test('round-trip', () => {
    assert.equal(photoKey(agencyId, photo, 'medium'), `${agencyId}/${photo}/medium.webp`)
    assert.equal(
      photoUrl(base, agencyId, '23456789', photo, 'large'),
      `${base}/photos/${agencyId}/23456789/${photo}/large.webp`,
    )
    for (const size of ['large', 'medium', 'small'] as const) {
      assert.equal(photoAt(photoUrl(base, agencyId, '23456789', photo, size), '23456789'), photo)
    }
  })

  test('are parsed in any spelling', () => {
    const url = photoUrl(base, agencyId, 'ABCDEFGH', photo, 'large')
    for (const written of [
      url.replace('https://listings', 'HTTPS://Listings'),
      url.replace('.example', '.example:443'),
      url.replace('/photos', '/./photos'),
      url.replace('ABCDEFGH', 'abcdefgh'),
      url.replace(agencyId, agencyId.toUpperCase()),
      `${url}?x=1`,
      `${url}#x`,
    ])
      assert.equal(photoAt(written, 'ABCDEFGH'), photo, written)
  })

  test('are parsed only for their own listing', () => {
    const url = photoUrl(base, agencyId, '23456789', photo, 'large')
    const others = [
      url.replace('https:', 'http:'),
      url.replace('23456789', '2345678A'),
      url.replace('listings', 'other'),
      url.replace('/base', ''),
      url.replace(agencyId, '01890a5d-ac96-774b-bcce-b302099a8058'),
      url.replace('large', 'huge'),
      url.replace('.webp', '.jpg'),
      url.replace('/large', '/x/large'),
      url.replace('https://', 'https://a:b@'),
      url.replace('https://', 'https:/'),
      url.replace('listings', 'list\nings'),
      `${url}/`,
      ` ${url}`,
      `${base}/photos/${agencyId}/23456789/`,
      '',
    ]
    for (const other of others) assert.equal(photoAt(other, '23456789'), null, other)
  })
})

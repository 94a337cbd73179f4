/** Kept bytes take no more memory than their length, which the bounds of caches count. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { htmlType, compressText } from '../../../src/pages/framework/send-cacheable.ts'
import { ownBytes } from '../../../src/platform/memory/own-bytes.ts'

describe('ownBytes', () => {
  test('holds the text and shares no memory', () => {
    const bytes = ownBytes('Galpón “ñandú” 🏠')
    assert.equal(bytes.toString(), 'Galpón “ñandú” 🏠')
    assert.equal(bytes.buffer.byteLength, bytes.length)
  })

  test('holds the bytes and shares no memory', async () => {
    const packed = await promisify(gzip)('Galpón')
    const bytes = ownBytes(packed)
    assert.deepEqual(bytes, packed)
    assert.equal(bytes.buffer.byteLength, bytes.length)
  })
})

test('a kept page takes the memory of its compressed form alone', async () => {
  const { packed } = await compressText(htmlType, '<p>Casa</p>'.repeat(1_000))
  assert.equal(packed.buffer.byteLength, packed.length)
})

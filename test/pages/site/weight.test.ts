/** The size of a visitor's first page on the wire, with everything that it loads except photos. */
import assert from 'node:assert/strict'
import { get } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { after, before, test } from 'node:test'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { published } from '../../support/app/listings.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

/** The body as sent. */
async function packed(path: string): Promise<{ bytes: number; text: string }> {
  const headers = { 'accept-encoding': 'gzip', 'user-agent': 'Visitor/1.0' }
  const body = await new Promise<Buffer>((resolve, reject) => {
    get(`${t.baseUrl}${path}`, { headers }, (response) => {
      assert.equal(response.statusCode, 200, path)
      const isPacked = response.headers['content-encoding'] === 'gzip'
      buffer(response).then((bytes) => resolve(Object.assign(bytes, { isPacked })), reject)
    }).on('error', reject)
  })
  const { isPacked } = body as Buffer & { isPacked: boolean }
  return { bytes: body.length, text: (isPacked ? gunzipSync(body) : body).toString('latin1') }
}

test('pages with their style, fonts and script have at most 60 KB', async () => {
  const { id } = await published(t)
  const agency = `/inmobiliarias/${t.agency.slug}`
  for (const path of [`${agency}/${id}`, agency, '/', '/terms']) {
    const page = await packed(path)
    const style = /"(\/site\/style[^"]+)"/.exec(page.text)?.[1] ?? ''
    const inStyle = (await packed(style)).text.matchAll(/url\(([^)]+\.woff2)\)/g)
    const assets = new Set([
      ...[...page.text.matchAll(/"(\/site\/[^"]+)"/g)].map(([, asset]) => asset ?? ''),
      ...[...inStyle].map(([, font]) => `/site/${font}`),
    ])
    assert.ok(assets.size >= 4, [...assets].join())
    let bytes = page.bytes
    for (const asset of assets) bytes += (await packed(asset)).bytes
    assert.ok(bytes <= 60_000, `${path}: ${bytes} bytes`)
  }
})

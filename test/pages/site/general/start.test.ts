/** The start page: a small one for people, in both languages, and the files that browsers and crawlers request along with it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import sharp from 'sharp'
import { type TestApp, testApp } from '../../../support/app/app.ts'
import { attributes, linked, meta, readable, shown, visit } from '../visit.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

describe('the start page', () => {
  for (const [path, language, title, dashboard, docs] of [
    ['/', 'es-AR', 'Las propiedades de cada inmobiliaria', 'Entrar al panel', 'Documentación de la API'],
    ['/en/', 'en-US', 'Each agency’s listings', 'Sign in to the dashboard', 'API documentation'],
  ] as const) {
    test(`at ${path} introduces the service, and links to the dashboard and the documentation`, async () => {
      const page = await shown(t, path)
      assert.match(page, new RegExp(`<html lang="${language}">`))
      assert.match(readable(page), new RegExp(title))
      assert.match(meta(page, 'description') ?? '', /Svc/)
      assert.equal(linked(page, 'canonical'), `https://listings.test${path}`)
      assert.equal(linked(page, 'alternate', 'es'), 'https://listings.test/')
      assert.equal(linked(page, 'alternate', 'en'), 'https://listings.test/en/')
      for (const [to, text] of [
        ['/dashboard', dashboard],
        ['/docs', docs],
      ] as const)
        assert.match(page, new RegExp(`<a href="${to}">${text}</a>`))
      for (const to of ['/dashboard', '/docs']) assert.ok((await visit(t, to)).status < 400)
    })
  }

  test('has the security and cache headers of other public pages', async () => {
    const [start, terms] = [await visit(t, '/'), await visit(t, '/terms')]
    const names = [...terms.headers.keys()].filter(
      (name) => !/^(date|etag|content-length|x-request-id)$/.test(name),
    )
    assert.ok(names.includes('content-security-policy'))
    for (const name of names) assert.equal(start.headers.get(name), terms.headers.get(name), name)
  })

  test('is the link of the name on pages that belong to no agency', async () => {
    assert.match(await shown(t, '/en/terms'), /<a class="brand" href="\/en\/">/)
    const { status, text } = await visit(t, '/inmobiliarias/nadie')
    assert.equal(status, 404)
    assert.match(text, /<a class="brand" href="\/">/)
  })

  test('in English is found without the slash too', async () => {
    const { status, headers } = await visit(t, '/en')
    assert.deepEqual([status, headers.get('location')], [308, '/en/'])
  })

  test('is not part of the API: an unknown URL still gets a response in JSON', async () => {
    const { status, headers } = await visit(t, '/properties')
    assert.deepEqual([status, headers.get('content-type')], [404, 'application/json; charset=utf-8'])
  })

  test('links below the path of PUBLIC_BASE_URL', async () => {
    const below = await testApp({ env: { PUBLIC_BASE_URL: 'https://a.example/listings/' } })
    try {
      const links = attributes(await shown(below, '/'), 'href')
      assert.ok(links.includes('/listings/dashboard') && links.includes('/listings/docs'))
      assert.ok(
        links.every((link) => /^(\/listings\/|https:\/\/a\.example\/listings\/|#)/.test(link)),
        links.join(' '),
      )
      assert.equal((await visit(below, '/en')).headers.get('location'), '/listings/en/')
    } finally {
      await below.close()
    }
  })
})

test('the icon exists for clients that request only the default one', async () => {
  const response = await fetch(`${t.baseUrl}/favicon.ico`)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'image/x-icon')
  assert.equal(response.headers.get('cache-control'), 'public, max-age=86400')
  const file = Buffer.from(await response.arrayBuffer())
  const count = file.readUInt16LE(4)
  const sizes = []
  for (let index = 0; index < count; index += 1) {
    const [length, offset] = [file.readUInt32LE(6 + 16 * index + 8), file.readUInt32LE(6 + 16 * index + 12)]
    const { format, width, height } = await sharp(file.subarray(offset, offset + length)).metadata()
    sizes.push(`${format} ${width} ${height}`)
  }
  assert.deepEqual(sizes, ['png 16 16', 'png 32 32', 'png 48 48'])
})

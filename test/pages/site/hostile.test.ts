/** Hostile text from agencies and hostile URLs from visitors stay plain text. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setAgencyDetails } from '../../../src/agencies/details.ts'
import { publishable, type TestApp, testApp } from '../../support/app/app.ts'
import { accepted, published, type Shown } from '../../support/app/listings.ts'
import { attributes, dataOf, meta, readable, shown, unescaped, visit } from './visit.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const hostile = [
  '<script>alert(1)</script>',
  '</script><script>alert(1)</script>',
  '</title><img src=x onerror=alert(1)>',
  '" onmouseover="alert(1)',
  "' onmouseover='alert(1)",
  '<!--',
  ']]>',
  '--><svg onload=alert(1)>',
  '&lt;script&gt; &amp; &#60;b&#62;',
  '${7*7} {{7*7}} !${x} `x`',
  '\\u003cscript\\u003e \\" \\\\',
  '</textarea></style><base href=//evil.example>',
  'javascript:alert(1)',
  '\u2028\u2029',
]

/** Scripts other than those that the page loads from this service. */
const notOurs = /<script(?! src="\/site\/)/g

/** The structure of the markup without any text: tags with the names of their attributes. */
function skeleton(page: string): string[] {
  return [...page.matchAll(/<(\/?[a-zA-Z!][^\s>]*)((?:"[^"]*"|[^>"])*)>/g)].map(([, tag = '', rest = '']) =>
    [tag, ...rest.replaceAll(/"[^"]*"/g, '').split(/[\s=/]+/)].filter((part) => part !== '').join(' '),
  )
}

/** A page without its data blocks, which contain the text as JSON. */
function withoutData(page: string): string {
  return page.replaceAll(/<script type="application\/ld\+json">[^<]*<\/script>/g, '')
}

async function written(text: string): Promise<Shown> {
  return published(t, {
    title: `T ${text}`,
    description: `D ${text}`,
    address: `Calle ${text} 123`,
    location: { city: `C ${text}`.slice(0, 80), province: 'Buenos Aires', lat: 1, lng: 2 },
    amenities: [`A ${text}`],
    operation: 'rent',
    rental: { services_included: [`S ${text}`] },
    force_duplicate: true,
  })
}

describe('an agency’s text', () => {
  test('does not change the markup, and is displayed as written', async () => {
    const harmless = await shown(t, String((await written('nada'))['url']))
    for (const text of hostile) {
      const listing = await written(text)
      const page = await shown(t, String(listing['url']))
      // The page also shows other listings, whose number grows over time.
      const upTo = (html: string) => skeleton(html.split('</article>')[0] ?? '')
      assert.deepEqual(upTo(page), upTo(harmless), text)
      assert.equal(
        meta(page, 'og:title'),
        `${`T ${text}`.replaceAll(/\s+/gu, ' ').trim()} · ${t.agency.name}`,
      )
      const [, words = ''] = /<div class="words" dir="auto">([^<]*)<\/div>/.exec(page) ?? []
      assert.equal(unescaped(words), `D ${text}`)
      const [data = {}] = dataOf(page)
      assert.equal(data['name'], `T ${text}`.replaceAll(/\s+/gu, ' ').trim())
      assert.match(readable(page), /T /)
    }
    const agency = await shown(t, `/inmobiliarias/${t.agency.slug}`)
    assert.equal([...agency.matchAll(notOurs)].length, 2)
    assert.equal(dataOf(agency).length, 2)
    assert.doesNotMatch(agency, /<(script>alert|img src=x|svg|base)/)
  })

  test('about itself does not change the markup either', async () => {
    const { agency, writeKey: key } = await t.newAgency()
    const listing = accepted(await t.ask('POST', '/properties', { key, body: publishable() }), 201)
    const path = `/inmobiliarias/${agency.slug}`
    const say = (text: string) =>
      setAgencyDetails(
        t.deps.db,
        agency.id,
        {
          address: text,
          broker: text,
          licence_number: text.slice(0, 40),
          licence_college: text,
          about: `${text}\n${text}`,
          hours: [[['09:00', '13:00']], [], [], [], [], [], []],
          phone: '+54 11 5555-0142',
        },
        t.clock,
      )
    const pages = async () =>
      await Promise.all([path, `/en${path}`, String(listing['url'])].map((url) => shown(t, url)))
    await say('nada')
    const harmless = await pages()
    // Line separators are rejected: see the tests of the agency's details.
    for (const text of hostile.filter((one) => !/[\u2028\u2029]/.test(one))) {
      await say(text)
      for (const [index, page] of (await pages()).entries()) {
        assert.deepEqual(skeleton(page), skeleton(harmless[index] ?? ''), text)
        assert.ok(readable(page).includes(text.replaceAll(/\s+/g, ' ')), text)
      }
    }
  })

  test('cannot change the direction of the text around it', async () => {
    const { url } = await published(t, {
      title: 'Casa \u202Egnp.exe\u202C \u2066x\u200F',
      description: '\u202Eشقة\u202C',
    })
    const page = await shown(t, String(url))
    assert.equal(meta(page, 'og:title'), `Casa gnp.exe x · ${t.agency.name}`)
    assert.match(page, /<h1 dir="auto">Casa gnp\.exe x<\/h1>/)
    // The text as written, isolated from the rest.
    assert.match(page, /<div class="words" dir="auto">\u202Eشقة\u202C<\/div>/)
  })

  test('never becomes an executable URL', async () => {
    for (const url of [
      'javascript:alert(1)',
      'JaVaScRiPt://x.example/%0aalert(1)',
      'data:text/html,x',
      ' javascript:alert(1)',
      'vbscript:x',
    ]) {
      for (const body of [{ video_url: url }, { video_urls: [url] }, { virtual_tour_url: url }]) {
        const response = await t.ask('POST', '/properties', { body })
        assert.equal(response.status, 400, JSON.stringify(body))
      }
      // Not even from a row that was inserted in another way.
      const listing = await published(t)
      await t.deps.db
        .updateTable('properties')
        .set({ video_url: url, video_urls: [url], virtual_tour_url: url })
        .where('public_id', '=', listing.id)
        .execute()
      await t.deps.db.updateTable('agencies').set({ website: null }).where('id', '=', t.agency.id).execute()
      const page = await shown(t, String(listing['url']))
      const links = attributes(page, 'href').filter((link) => !/^(https?:|\/|#|mailto:|tel:)/.test(link))
      assert.deepEqual(links, [])
    }
  })
})

describe('a visitor’s text', () => {
  test('is returned as text in the form, and nowhere else', async () => {
    for (const text of hostile) {
      const page = await visit(
        t,
        `/inmobiliarias/${t.agency.slug}?q=${encodeURIComponent(text)}&city=${encodeURIComponent(text)}&type=${encodeURIComponent(text)}`,
      )
      assert.equal(page.status, 200, text)
      assert.equal([...page.text.matchAll(notOurs)].length, dataOf(page.text).length, text)
      assert.doesNotMatch(withoutData(page.text), /<(script>alert|img src=x|svg|base)|" onmouse/)
    }
  })

  test('is text wherever a filter is shown, removed or kept', async () => {
    // An agency without listings, which could contain the same text.
    const { agency } = await t.newAgency()
    const page = (query: string) => shown(t, `/inmobiliarias/${agency.slug}?${query}`)
    const all = (text: string) => {
      const value = encodeURIComponent(text)
      return ['operation', 'type', 'city', 'q', 'bedrooms', 'bathrooms', 'min_m2', 'max_m2', 'currency']
        .concat(['min_price', 'max_price', 'sort', 'page'])
        .map((name) => `${name}=${value}`)
        .join('&')
    }
    const harmless = skeleton(withoutData(await page(all('nada'))))
    for (const text of hostile) {
      const response = await page(all(`x ${text}`))
      assert.deepEqual(skeleton(withoutData(response)), harmless, text)
      assert.equal(meta(response, 'robots'), 'noindex, follow')
    }
    const turned = await page(all('a\u202Eb\u2066c'))
    const [notes = ''] = /<div class="notes"[^]*?<\/div>/.exec(turned) ?? []
    assert.match(notes, /a b c/)
    assert.doesNotMatch(notes + (meta(turned, 'og:title') ?? ''), /[\u202E\u2066]/)
  })

  test('is text on a page without results', async () => {
    const page = async (text: string) => {
      const accept = { accept: 'text/html' }
      const { status, text: said } = await visit(t, `/en/nada/${text}`, { headers: accept })
      assert.equal(status, 404)
      return said
    }
    const harmless = skeleton(await page('nada'))
    for (const text of hostile) {
      assert.deepEqual(skeleton(await page(text)), harmless, text)
      assert.deepEqual(skeleton(await page(encodeURIComponent(text))), harmless, text)
    }
  })

  test('is dropped if no database can store it', async () => {
    for (const query of [
      'q=%00',
      'q=%ff',
      'city=%ED%A0%80',
      'q=%F0%9F%98%80',
      'city=%CC%81',
      'page=x',
      'page=-1',
      'page=1e9',
      'min_price=1e3',
      'min_price=-1',
      '=x',
      '&&',
      'q=a&q=b',
      `q=${'x'.repeat(5000)}`,
    ])
      assert.equal((await visit(t, `/inmobiliarias/${t.agency.slug}?${query}`)).status, 200, query)
  })
})

test('every page forbids inline scripts, framing, and requests to other sites', async () => {
  const listing = await published(t)
  for (const [path, status] of [
    [String(listing['url']), 200],
    [`/inmobiliarias/${t.agency.slug}`, 200],
    ['/en/terms', 200],
    ['/inmobiliarias/nadie', 404],
  ] as const) {
    const page = await visit(t, path)
    assert.equal(page.status, status)
    assert.equal(
      page.headers.get('content-security-policy'),
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'",
    )
    assert.equal(page.headers.get('x-content-type-options'), 'nosniff')
    assert.doesNotMatch(withoutData(page.text), /\sstyle=|\son\w+=|<style/)
    const origin = 'https://listings.test'
    const base = /<base href="([^"]*)"/.exec(page.text)?.[1] ?? '/'
    const loaded = [
      ...attributes(page.text, 'src'),
      ...[...page.text.matchAll(/<link\s+rel="(?:stylesheet|preload|icon)"[^>]*href="([^"]*)"/g)].map(
        ([, href = '']) => href,
      ),
    ]
    assert.ok(
      loaded.length > 0 && loaded.every((url) => new URL(url, new URL(base, origin)).origin === origin),
      path,
    )
  }
})

test('a page of the largest possible listing stays below 60 KB', async () => {
  const sentence =
    'Luminoso departamento de tres ambientes al frente, con balcón corrido y cocina integrada. '
  const listing = await published(t, {
    title: 'Departamento de tres ambientes con balcón aterrazado y cochera fija en Palermo Soho',
    description: sentence.repeat(300).slice(0, 20_000),
    photos: Array.from({ length: 50 }, (_, index) => `https://photos.example/largest-${index}.jpg`),
    amenities: Array.from({ length: 100 }, (_, index) => `${index} `.padEnd(80, 'comodidad ')),
    features: {
      bedrooms: 2,
      bathrooms: 2,
      rooms: 3,
      total_m2: 86,
      covered_m2: 71,
      garages: 1,
      age_years: 6,
      disposition: 'Frente',
      orientation: 'N',
      pet_friendly: true,
      furnished: false,
      credit_eligible: true,
    },
    expenses: { amount: 285_000, currency: 'ARS' },
    video_urls: ['https://videos.example/1', 'https://videos.example/2', 'https://videos.example/3'],
    virtual_tour_url: 'https://tours.example/1',
  })
  for (let beside = 0; beside < 3; beside++) await published(t)
  for (const prefix of ['', '/en']) {
    const page = await shown(t, `${prefix}/inmobiliarias/${t.agency.slug}/${listing.id}`)
    assert.equal([...page.matchAll(/srcset="/g)].length, 53)
    assert.ok(Buffer.byteLength(page) <= 60_000, `${Buffer.byteLength(page)} bytes`)
  }
})

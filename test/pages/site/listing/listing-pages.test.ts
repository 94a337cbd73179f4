/** A listing's page (api.md 18.1): all of the agency's text, in two languages, for permitted visitors. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setAgencyDetails } from '../../../../src/agencies/details.ts'
import { photoUrls, publishable, type TestApp, testApp } from '../../../support/app/app.ts'
import { accepted, draft, published, type Shown } from '../../../support/app/listings.ts'
import { attributes, linked, meta, readable, shown, visit } from '../visit.ts'

let t: TestApp
let listing: Shown
let url = ''
const english = (url: string) => url.replace('/inmobiliarias/', '/en/inmobiliarias/')
before(async () => {
  t = await testApp()
  await t.deps.db
    .updateTable('agencies')
    .set({ email: 'ventas@agencia.example' })
    .where('id', '=', t.agency.id)
    .execute()
  listing = await published(t, {
    title: 'Departamento con balcón & vista "al río"',
    description: 'Primera línea.\n  Segunda, con sangría.\n\nÚltima.',
    type: 'Departamento',
    price: { amount: 248_000.5, currency: 'USD' },
    expenses: { amount: 285_000, currency: 'ARS' },
    features: {
      bedrooms: 1,
      bathrooms: 2,
      rooms: 3,
      total_m2: 1086.5,
      garages: 0,
      age_years: 0,
      disposition: 'Frente',
      orientation: 'NO',
      pet_friendly: false,
      credit_eligible: true,
    },
    amenities: ['Parrilla', 'Solárium'],
    video_urls: ['https://videos.example/a?b=1&c=2', 'http://videos.example/b'],
    virtual_tour_url: 'https://tours.example/x',
    photos: photoUrls(4),
  })
  url = String(listing['url'])
})
after(() => t.close())

describe('a published listing', () => {
  test('shows everything in Spanish, in Argentine formats', async () => {
    const text = readable(await shown(t, url))
    for (const said of [
      'Departamento en venta · La Plata, Buenos Aires',
      'Departamento con balcón & vista "al río"',
      listing.address ?? '',
      'USD 248.000,50',
      '+ $ 285.000 de expensas',
      '1.086,5 m² totales',
      '3 ambientes',
      '1 dormitorio',
      '2 baños',
      'Antigüedad A estrenar',
      'Disposición Frente',
      'Orientación Noroeste',
      'Mascotas No se aceptan',
      'Apto crédito Sí',
      'Parrilla',
      'Solárium',
      'Ver el video 1',
      'Ver el video 2',
      'Recorrido virtual',
      'Ver en OpenStreetMap',
      `Código ${listing.id}`,
      t.agency.name,
      'Consultar por correo',
    ]) {
      assert.ok(text.includes(said), `${said} is not in: ${text}`)
    }
    assert.doesNotMatch(text, /cochera|Amoblado|undefined|null|\[object/)
  })

  test('shows the same in English at a separate URL', async () => {
    const text = readable(await shown(t, english(url)))
    for (const said of [
      'Apartment for sale · La Plata, Buenos Aires',
      'USD 248,000.50',
      '+ ARS 285,000 building fees',
      '1 bedroom',
      'Brand new',
      'Northwest',
      'Ask by email',
    ])
      assert.ok(text.includes(said), said)
    assert.match(await shown(t, english(url)), /<html lang="en-US">/)
    assert.match(await shown(t, url), /<html lang="es-AR">/)
  })

  test('keeps the line breaks of the description, without white space around it', async () => {
    const page = await shown(t, url)
    const [, words] = /<div class="words" dir="auto">([^<]*)<\/div>/.exec(page) ?? []
    assert.equal(words, listing['description'])
  })

  test('shows its photos in order, each in three sizes, from paths of this service', async () => {
    const page = await shown(t, url)
    const base = `/photos/${t.agency.id}/${listing.id}/`
    assert.match(page, new RegExp(`<base href="${base}" />`))
    const sets = attributes(page, 'srcset').slice(0, 4)
    sets.forEach((set, index) => {
      const large = (listing.photos[index] ?? '').replace(`https://listings.test${base}`, '')
      const sized = (size: string) => large.replace('large', size)
      assert.equal(set, `${large} 1600w,${sized('medium')} 800w,${sized('small')} 320w`)
    })
    for (const path of sets.flatMap((set) => set.split(',').map((part) => part.split(' ')[0] ?? '')))
      assert.equal((await visit(t, base + path)).status, 200)
    const images = [...page.matchAll(/<li><img[^>]*>/g)].map(([image]) => image)
    assert.equal(images.length, 4)
    assert.match(images[0] ?? '', /fetchpriority="high"/)
    for (const image of images.slice(1)) assert.match(image, /loading="lazy"/)
    for (const [index, image] of images.entries())
      assert.match(image, new RegExp(`alt="Foto ${index + 1} de 4"`))
  })

  test('links to map, videos and tour without endorsing them', async () => {
    const page = await shown(t, url)
    const outside = [...page.matchAll(/<a[^>]*target="_blank"[^>]*>/g)].map(([link]) => link)
    assert.equal(outside.length, 5)
    for (const link of outside) assert.match(link, /rel="noopener nofollow"/)
    const urls = attributes(outside.join(''), 'href')
    assert.match(urls.shift() ?? '', /^https:\/\/wa\.me\/\?text=/)
    assert.deepEqual(urls, [
      'https://videos.example/a?b=1&c=2',
      'http://videos.example/b',
      'https://tours.example/x',
      'https://www.openstreetmap.org/?mlat=-34.92&mlon=-57.95#map=17/-34.92/-57.95',
    ])
  })

  test('is described for search engines and link previews', async () => {
    const page = await shown(t, url)
    assert.equal(linked(page, 'canonical'), url)
    assert.equal(linked(page, 'alternate', 'es'), url)
    assert.equal(linked(page, 'alternate', 'en'), english(url))
    assert.equal(linked(page, 'alternate', 'x-default'), url)
    assert.equal(meta(page, 'og:url'), url)
    assert.equal(meta(page, 'og:image'), listing.photos[0]?.replace('large.webp', 'preview.jpg'))
    assert.equal(meta(page, 'og:title'), `${listing.title} · ${t.agency.name}`)
    assert.equal(meta(page, 'og:locale'), 'es_AR')
    assert.match(
      meta(page, 'og:description') ?? '',
      /^Departamento en venta\. USD.248\.000,50\. 1\.086,5 m² totales/,
    )
    assert.equal(meta(page, 'robots'), 'max-image-preview:large')
    const other = await shown(t, english(url))
    assert.equal(linked(other, 'canonical'), english(url))
    assert.equal(linked(other, 'alternate', 'es'), url)
    assert.equal(meta(other, 'og:locale'), 'en_US')
  })

  test('shows every way to contact the agency', async () => {
    const about = encodeURIComponent(url)
    assert.ok(
      attributes(await shown(t, url), 'href').some(
        (link) =>
          link.startsWith('mailto:ventas@agencia.example?subject=Consulta%20por%20') && link.includes(about),
      ),
    )
    const contact = { phone: '+54 11 5555-0142', whatsapp: '+54 9 (11) 5555-0142', website: null }
    await setAgencyDetails(t.deps.db, t.agency.id, contact, t.clock)
    const page = await shown(t, url)
    const links = attributes(page, 'href')
    assert.ok(links.includes('tel:+541155550142'))
    assert.ok(
      links.some((link) => link.startsWith('https://wa.me/5491155550142?text=') && link.includes(about)),
    )
    assert.match(readable(page), /Llamar al \+54 11 5555-0142/)
    await setAgencyDetails(t.deps.db, t.agency.id, { phone: null, whatsapp: null }, t.clock)
    assert.doesNotMatch(await shown(t, url), /wa\.me\/\d|tel:/)
  })

  test('shows other listings of the agency with the same operation, but not itself', async () => {
    const beside = await published(t, { title: 'Otra en venta' })
    const rent = await published(t, {
      title: 'Una en alquiler',
      operation: 'rent',
      price: { amount: 1, currency: 'USD' },
    })
    const text = await shown(t, url)
    assert.ok(text.includes(`/${beside.id}"`))
    assert.ok(!text.includes(`/${rent.id}"`))
    assert.equal([...text.matchAll(/class="card"/g)].length, 1)
  })

  test('shows rents with their period and terms, and whether it is reserved', async () => {
    const rent = await published(t, {
      operation: 'rent',
      price: { amount: 780_000, currency: 'ARS' },
      rental: { min_lease_months: 24, services_included: ['Agua', 'ABL'] },
    })
    await t.deps.db
      .updateTable('properties')
      .set({ reserved: true })
      .where('public_id', '=', rent.id)
      .execute()
    const text = readable(await shown(t, String(rent['url'])))
    assert.match(text, /\$.780\.000 por mes/)
    assert.match(text, /Contrato mínimo 24 meses/)
    assert.match(text, /Servicios incluidos Agua, ABL/)
    assert.match(text, /Reservada/)
  })

  test('shows the city once, even if the address ends with it', async () => {
    const location = { city: 'Mar del Plata', province: 'Buenos Aires' }
    const whereOf = async (address: string) => {
      const { url } = await published(t, { address, location })
      return /class="where"[^>]*>([^<]*)/.exec(await shown(t, String(url)))?.[1] ?? ''
    }
    assert.equal(await whereOf('Güemes 1965, mar del plata'), 'Güemes 1965, mar del plata, Buenos Aires')
    assert.equal(await whereOf('Güemes 2065'), 'Güemes 2065 · Mar del Plata, Buenos Aires')
  })

  test('with few details is still a page', async () => {
    const bare = await published(t, {
      price: { on_request: true },
      location: null,
      type: 'Lote',
      features: { total_m2: 500, bedrooms: 3 },
    })
    const [text = ''] = readable(await shown(t, String(bare['url']))).split('También te puede interesar')
    assert.match(text, /Consultar precio/)
    assert.match(text, /500 m² de terreno/)
    assert.doesNotMatch(text, /dormitorio|OpenStreetMap|Comodidades|Descripción|undefined|null/)
  })
})

describe('a visitor without access to a listing', () => {
  const page = async (url: string) => {
    const { status, text, headers } = await visit(t, url)
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('etag'), null)
    assert.match(text, /name="robots" content="noindex, follow"/)
    // The requested code appears only in the link to the other language.
    const [, , ...others] = attributes(text, 'href').filter((link) =>
      link.endsWith(url.split('/').pop() ?? ''),
    )
    assert.deepEqual(others, [])
    const said = text.replaceAll(url.split('/').pop() ?? '', 'CODE')
    return { status, text: said, names: [...headers.keys()].filter((name) => name !== 'date').sort() }
  }
  const at = (code: string) => `/inmobiliarias/${t.agency.slug}/${code}`

  test('cannot distinguish a draft, removed or not, from an unknown code', async () => {
    const hidden = await draft(t)
    const removed = await draft(t)
    accepted(await t.ask('DELETE', `/properties/${removed.id}`))
    const foreign = await published(t, {})
    const unknown = await page(at('ZZZZ9999'))
    assert.equal(unknown.status, 404)
    for (const url of [at(hidden.id), at(removed.id), at('no-code'), at(randomUUID())])
      assert.deepEqual(await page(url), unknown)
    assert.deepEqual(
      (await page(`/inmobiliarias/${t.other.agency.slug}/${foreign.id}`)).text,
      unknown.text.replaceAll(t.agency.slug, t.other.agency.slug),
    )
  })

  test('learns nothing about a draft from an ETag', async () => {
    const hidden = await draft(t)
    for (const tag of ['*', '"x"'])
      assert.equal((await visit(t, at(hidden.id), { headers: { 'if-none-match': tag } })).status, 404)
  })

  test('learns that a formerly public listing is gone, and where to find others', async () => {
    for (const end of [
      (id: string) => t.ask('POST', `/properties/${id}/disable`, { body: { reason: 'sold' } }),
      (id: string) => t.ask('DELETE', `/properties/${id}`),
    ]) {
      const { id } = await published(t, { title: 'Secreto de antes' })
      accepted(await end(id))
      for (const url of [at(id), english(at(id))]) {
        const { status, text } = await page(url)
        assert.equal(status, 410)
        assert.doesNotMatch(text, /Secreto de antes/)
        assert.ok(attributes(text, 'href').some((link) => link.endsWith(`/inmobiliarias/${t.agency.slug}`)))
      }
    }
  })

  test('sees neither agency nor listings once the agency is inactive', async () => {
    const { agency, writeKey } = await t.newAgency()
    const made = await t.ask('POST', '/properties', { key: writeKey, body: { title: 'Borrador' } })
    const { id } = accepted(made, 201)
    const open = accepted(await t.ask('POST', '/properties', { key: writeKey, body: publishable() }), 201)
    await shown(t, String(open['url']))
    await t.deps.db.updateTable('agencies').set({ active: false }).where('id', '=', agency.id).execute()
    assert.equal((await page(String(open['url']))).status, 410)
    assert.equal((await page(`/inmobiliarias/${agency.slug}`)).status, 410)
    assert.equal((await page(`/inmobiliarias/${agency.slug}/${id}`)).status, 404)
    assert.equal((await page('/inmobiliarias/nadie')).status, 404)
  })
})

describe('the URL of a listing', () => {
  test('has one spelling', async () => {
    const path = `/inmobiliarias/${t.agency.slug}/${listing.id}`
    for (const [asked, target] of [
      [path.replace(listing.id, listing.id.toLowerCase()), path],
      [`${path}/`, path],
      [`/en${path}/`, `/en${path}`],
      [`/inmobiliarias/${t.agency.slug}/`, `/inmobiliarias/${t.agency.slug}`],
    ] as const) {
      if (asked === target) continue
      const response = await visit(t, asked)
      assert.deepEqual([response.status, response.headers.get('location')], [308, target], asked)
    }
  })

  test('may carry extra parameters', async () => {
    assert.equal((await visit(t, `${url}?utm_source=x&fbclid=%ff`)).status, 200)
  })

  test('responds to HEAD as to GET, and to no other method', async () => {
    // Past the second of the last change, during which Last-Modified is omitted.
    t.clock.offsetMs += 2_000
    const [head, get] = [await visit(t, url, { method: 'HEAD' }), await visit(t, url)]
    assert.deepEqual([head.status, head.text], [200, ''])
    for (const name of ['etag', 'content-type', 'cache-control', 'content-length', 'last-modified'])
      assert.equal(head.headers.get(name), get.headers.get(name), name)
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const response = await visit(t, url, { method })
      assert.deepEqual([response.status, response.headers.get('allow')], [405, 'GET, HEAD'], method)
    }
  })

  test('is not found if it contains garbage', async () => {
    for (const slug of ['..', '%00', '%27or%201=1', 'a'.repeat(300), '%F0%9F%8F%A0', '<script>', 'A B', '-'])
      for (const path of [`/inmobiliarias/${slug}/x`, `/en/inmobiliarias/${slug}/${listing.id}`]) {
        const response = await visit(t, path)
        assert.equal(response.status, 404, path)
        assert.doesNotMatch(response.text, /<script>/)
      }
  })
})

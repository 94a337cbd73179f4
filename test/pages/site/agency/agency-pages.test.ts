/** An agency's page (api.md 18.1): its published listings, searched like the API's list, page by page. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setAgencyDetails } from '../../../../src/agencies/details.ts'
import { observeStatements } from '../../../../src/platform/db/statements/connection.ts'
import { publishable, type TestApp, testApp } from '../../../support/app/app.ts'
import { accepted, draft, published } from '../../../support/app/listings.ts'
import { attributes, linked, meta, readable, shown, unescaped, visit } from '../visit.ts'

let t: TestApp
let path = ''
before(async () => {
  t = await testApp()
  path = `/inmobiliarias/${t.agency.slug}`
  const make = (title: string, changes: Record<string, unknown>) => published(t, { title, ...changes })
  await make('Casa en Tandil', {
    location: { city: 'Tandil', province: 'Buenos Aires', lat: 1, lng: 2 },
    price: { amount: 90_000, currency: 'USD' },
  })
  await make('Galpón en Mar del Plata', {
    type: 'Galpón',
    location: { city: 'Mar del Plata', province: 'Buenos Aires', lat: 1, lng: 2 },
    price: { amount: 300_000, currency: 'USD' },
  })
  await make('Departamento con pileta', {
    type: 'Departamento',
    operation: 'rent',
    price: { amount: 500_000, currency: 'ARS' },
  })
  await make('Casa con precio a convenir', { price: { on_request: true } })
  await draft(t, { title: 'Borrador oculto' })
  const suspended = await make('Casa suspendida', {})
  accepted(await t.ask('POST', `/properties/${suspended.id}/disable`, { body: {} }))
  accepted(
    await t.ask('POST', '/properties', { key: t.other.writeKey, body: publishable({ title: 'Casa ajena' }) }),
    201,
  )
})
after(() => t.close())

/** The titles on a page, in order. */
function titles(page: string): string[] {
  return [...page.matchAll(/<h2 class="card-title"[^>]*>\s*<a[^>]*>([^<]*)<\/a\s*>/g)].map(
    ([, title = '']) => title,
  )
}
const found = async (query: string) => titles(await shown(t, path + query))
const all = [
  'Casa con precio a convenir',
  'Departamento con pileta',
  'Galpón en Mar del Plata',
  'Casa en Tandil',
]

describe('the page of an agency', () => {
  test('shows its published listings, newest first, and nothing else', async () => {
    assert.deepEqual(await found(''), all)
    const text = readable(await shown(t, path))
    assert.match(text, /4 propiedades publicadas/)
    assert.match(text, /Consultar precio Casa con precio a convenir/)
    assert.match(
      text,
      /\$.500\.000 por mes Departamento con pileta Departamento en alquiler · La Plata, Buenos Aires/,
    )
    assert.match(
      readable(await shown(t, `/en${path}`)),
      /4 published listings.*Apartment for rent · La Plata/,
    )
  })

  test('has the same filters as the API', async () => {
    for (const [query, expected] of Object.entries({
      '?operation=rent': ['Departamento con pileta'],
      '?type=Casa': ['Casa con precio a convenir', 'Casa en Tandil'],
      '?type=galpon': ['Galpón en Mar del Plata'],
      '?city=MAR+DEL': ['Galpón en Mar del Plata'],
      '?q=pileta+departamento': ['Departamento con pileta'],
      '?q=galpon': ['Galpón en Mar del Plata'],
      '?currency=USD&min_price=100000': ['Galpón en Mar del Plata'],
      '?currency=USD&max_price=100000': ['Casa en Tandil'],
      '?currency=ARS&min_price=1&max_price=500000': ['Departamento con pileta'],
      '?max_price=90000': ['Casa en Tandil'],
      '?q=nada+de+esto': [],
      '?type=Casa&operation=rent': [],
      '?sort=price_desc&currency=USD': ['Galpón en Mar del Plata', 'Casa en Tandil'],
      '?sort=price_asc&currency=USD': ['Casa en Tandil', 'Galpón en Mar del Plata'],
    })) {
      assert.deepEqual(await found(query), expected, query)
      const api = await t.ask('GET', `/properties${query.replace('?max_price', '?currency=USD&max_price')}`)
      const listed = (api.body.data as unknown as { title: string }[]).map(({ title }) => title)
      assert.deepEqual(listed, expected, `the API: ${query}`)
    }
  })

  test('accepts what a form sends, and drops parameters that are not filters', async () => {
    assert.deepEqual(
      await found('?q=&operation=&type=Casa&city=&currency=&min_price=&max_price=&sort=recent'),
      ['Casa con precio a convenir', 'Casa en Tandil'],
    )
    for (const query of ['?page=0', '?page=', '?status=draft', '?per_page=1', '?fields=id', '?external_id=1'])
      assert.deepEqual(await found(query), all, query)
  })

  test('keeps the search in its form', async () => {
    const page = await shown(
      t,
      `${path}?q=pileta&operation=rent&type=Departamento&city=La+Plata&currency=ARS&min_price=5&max_price=500000&sort=price_asc`,
    )
    for (const value of ['rent', 'Departamento', 'ARS'])
      assert.match(page, new RegExp(`<option value="${value}"\\s+selected>`), value)
    for (const [name, value] of [
      ['q', 'pileta'],
      ['city', 'La Plata'],
      ['min_price', '5'],
      ['max_price', '500000'],
    ])
      assert.match(page, new RegExp(`name="${name}"[^>]*value="${value}"`), name)
    assert.match(page, /<input type="hidden" name="sort" value="price_asc" \/>/)
    assert.match(page, /Filtros <span class="tally">5<\/span>/)
  })

  test('names the filters that it could not apply', async () => {
    for (const [query, said] of [
      ['?operation=barter', 'Operación: barter'],
      ['?type=Castillo', 'Tipo: Castillo'],
      ['?min_price=x', 'Precio desde: x'],
      ['?max_price=-1', 'Precio hasta: -1'],
      ['?max_price=1000000000001', 'Precio hasta: 1000000000001'],
      ['?currency=EUR', 'Moneda: EUR'],
      ['?bedrooms=51', 'Dormitorios: 51'],
      ['?bathrooms=1.5', 'Baños: 1.5'],
      ['?min_m2=1e3', 'Superficie desde: 1e3'],
      ['?max_m2=10000001', 'Superficie hasta: 10000001'],
      ['?q=!!!', 'Qué buscás: !!!'],
      ['?city=%CC%81', 'Ciudad: \u0301'],
      ['?city=a%00b', 'Ciudad: a b'],
      [`?q=${'x'.repeat(81)}`, `Qué buscás: ${'x'.repeat(80)}`],
    ] as const) {
      const page = await shown(t, path + query)
      assert.ok(readable(page).includes(`No usamos el filtro «${said}»`), `${query}: ${readable(page)}`)
      assert.deepEqual(titles(page), all, query)
      assert.equal(meta(page, 'robots'), 'noindex, follow')
    }
    const crossed = await shown(t, `${path}?currency=USD&min_price=2&max_price=1&min_m2=9&max_m2=8`)
    assert.match(readable(crossed), /El precio mínimo es mayor que el máximo.*La superficie mínima es mayor/)
    assert.deepEqual(titles(crossed), [])
  })

  test('parses numbers in people’s own spelling', async () => {
    for (const query of ['?currency=USD&min_price=100.000', '?currency=USD&min_price=USD+100,000'])
      assert.deepEqual(await found(query), ['Galpón en Mar del Plata'], query)
    // Rents are searched in pesos.
    assert.deepEqual(await found('?operation=rent&max_price=500.000'), ['Departamento con pileta'])
    assert.deepEqual(await found('?operation=rent&max_price=499.999'), [])
    // A currency in the price wins, and the form shows it.
    for (const query of [
      '?max_price=$+500.000',
      '?currency=USD&max_price=500000+pesos',
      '?operation=rent&max_price=AR$500.000',
    ])
      assert.deepEqual(await found(query), ['Departamento con pileta'], query)
    assert.deepEqual(await found('?currency=ARS&min_price=U$S+100.000'), ['Galpón en Mar del Plata'])
    assert.match(await shown(t, `${path}?max_price=$+500.000`), /<option value="ARS"\s+selected>/)
    const two = await shown(t, `${path}?min_price=USD+100.000&max_price=$+500.000`)
    assert.match(readable(two), /No usamos el filtro «Precio hasta: \$ 500\.000»/)
    assert.deepEqual(titles(two), ['Galpón en Mar del Plata'])
  })

  test('offers to remove each active filter', async () => {
    const chips = (page: string) =>
      [...page.matchAll(/<a\s+class="chip"[^>]*href="([^"]*)"[^>]*><span dir="auto">([^<]*)</g)].map(
        ([, href = '', label = '']) => [unescaped(label), unescaped(href).replace(path, '')],
      )
    const page = await shown(
      t,
      `${path}?q=casa&operation=sale&type=Casa&city=Tandil&bedrooms=0&min_m2=0&currency=USD&max_price=90000&sort=price_desc`,
    )
    const query = (left: string) =>
      `?${['operation=sale', 'type=Casa', 'city=Tandil', 'q=casa', 'bedrooms=0', 'min_m2=0', 'currency=USD', 'max_price=90000', 'sort=price_desc'].filter((part) => !left.split(' ').includes(part)).join('&')}`
    assert.deepEqual(chips(page), [
      ['Venta', query('operation=sale')],
      ['Casas', query('type=Casa')],
      ['Tandil', query('city=Tandil')],
      ['«casa»', query('q=casa')],
      ['0 o más dormitorios', query('bedrooms=0')],
      ['Desde 0 m²', query('min_m2=0')],
      // The currency only matters along with prices.
      ['Hasta USD\u00a090.000', query('currency=USD max_price=90000')],
    ])
    assert.deepEqual(chips(await shown(t, `${path}?currency=ARS`)), [['Precio en ARS', '']])
    assert.deepEqual(chips(await shown(t, path)), [])
  })

  test('can be sorted by links, which keep the search', async () => {
    const page = await shown(t, `${path}?type=Casa&sort=price_asc&page=1`)
    const [order = ''] = /<nav class="orders"[\s\S]*?<\/nav>/.exec(page) ?? []
    assert.match(order, /<span aria-current="true">Menor precio<\/span>/)
    assert.deepEqual(attributes(order, 'href'), [`${path}?type=Casa`, `${path}?type=Casa&sort=price_desc`])
  })

  test('offers search values that its listings have', async () => {
    const options = (page: string, name: string) => {
      const [list = ''] = new RegExp(`<select\\s+name="${name}"[\\s\\S]*?</select>`).exec(page) ?? []
      return attributes(list, 'value').filter((value) => value !== '')
    }
    const page = await shown(t, path)
    assert.deepEqual(options(page, 'operation'), ['sale', 'rent'])
    assert.deepEqual(options(page, 'type'), ['Casa', 'Departamento', 'Galpón'])
    assert.deepEqual(options(await shown(t, `${path}?type=Hotel&bedrooms=9`), 'type').at(-1), 'Hotel')
    assert.deepEqual(options(await shown(t, `${path}?bedrooms=9`), 'bedrooms').at(-1), '9')
  })

  test('names filters whose removal would give results', async () => {
    const page = await shown(t, `${path}?type=Galpon&operation=rent&currency=ARS&max_price=9`)
    assert.match(readable(page), /0 resultados.*No hay propiedades con esos filtros/)
    const near = await shown(t, `${path}?type=Galpon&operation=rent`)
    const [list = ''] = /<ul class="relax">[\s\S]*?<\/ul>/.exec(near) ?? []
    assert.deepEqual(
      attributes(list, 'href').map((href) => href.replace(path, '')),
      ['?operation=rent', '?type=Galp%C3%B3n'],
    )
    assert.match(readable(`<body>${list}`), /1 propiedad sin «Galpones».*1 propiedad sin «Alquiler»/)
  })

  test('counts again without at most three of the filters, and reads no rows for it', async () => {
    const statements: string[] = []
    const stop = observeStatements((text) => {
      if (text.includes('from properties')) statements.push(text)
      return () => {}
    })
    const query =
      '?operation=rent&type=Casa&city=Tandil&q=casa&bedrooms=0&bathrooms=0&max_price=100000&currency=USD'
    const page = await shown(t, path + query)
    stop()
    assert.match(readable(page), /No hay propiedades con esos filtros/)
    // The search itself reads a page and its total.
    assert.equal(statements.filter((text) => text.includes('select count(*)::int')).length, 1 + 3)
    assert.equal(statements.filter((text) => text.includes('order by')).length, 1)
  })

  test('says so when nothing is found or published', async () => {
    assert.match(
      readable(await shown(t, `${path}?q=nadadeesto`)),
      /0 resultados.*No hay propiedades con esos filtros/,
    )
    const { agency } = await t.newAgency()
    const page = await shown(t, `/inmobiliarias/${agency.slug}`)
    assert.match(readable(page), /Por ahora no hay propiedades publicadas/)
    // Without listings there is no search.
    assert.doesNotMatch(page, /role="search"/)
    assert.equal(meta(page, 'robots'), 'noindex, follow')
  })

  test('is indexed as a whole by search engines, but its searches are not', async () => {
    const whole = await shown(t, path)
    assert.equal(linked(whole, 'canonical'), `https://listings.test${path}`)
    assert.equal(linked(whole, 'alternate', 'en'), `https://listings.test/en${path}`)
    assert.equal(meta(whole, 'robots'), 'max-image-preview:large')
    assert.match(meta(whole, 'og:image') ?? '', /^https:\/\/listings\.test\/photos\/.*\/preview\.jpg$/)
    const search = await shown(t, `${path}?type=Casa&sort=price_asc`)
    assert.equal(meta(search, 'robots'), 'noindex, follow')
    // A shared search keeps its URL.
    assert.equal(meta(search, 'og:url'), `https://listings.test${path}?type=Casa&sort=price_asc`)
    for (const query of ['?type=Casa', '?sort=price_asc', '?q=nada+de+esto', '?type=Castillo']) {
      const page = await shown(t, path + query)
      // Either a canonical URL or `noindex`, never both.
      assert.equal(meta(page, 'robots'), 'noindex, follow', query)
      for (const rel of ['canonical', 'alternate']) assert.equal(linked(page, rel), undefined, query)
    }
    // The other language keeps the search.
    assert.ok(attributes(search, 'href').includes(`/en${path}?type=Casa&sort=price_asc`))
  })

  test('is found by its name as phones type it', async () => {
    const { slug } = t.agency
    const typed = slug.replace(/^./, (letter) => letter.toUpperCase())
    const listing = await published(t)
    const led = async (path: string) => (await visit(t, path)).headers.get('location')
    assert.equal(
      await led(`/en/inmobiliarias/${typed}?operation=rent`),
      `/en/inmobiliarias/${slug}?operation=rent`,
    )
    assert.equal(await led(`/inmobiliarias/${typed}/${listing.id}`), `/inmobiliarias/${slug}/${listing.id}`)
    assert.equal((await visit(t, '/inmobiliarias/%C3%91and%C3%BA')).status, 404)
  })

  test('starts with its name and the beginning of its description, once', async () => {
    const { agency } = await t.newAgency()
    const own = `/inmobiliarias/${agency.slug}`
    const says = async (about: string) => {
      await setAgencyDetails(t.deps.db, agency.id, { about }, t.clock)
      return readable(await shown(t, own))
    }
    const longer = await says('Desde 1998 en Tandil.\nTasamos sin cargo.')
    assert.match(longer, /Desde 1998 en Tandil\..*Sobre .*Desde 1998 en Tandil\. Tasamos sin cargo/)
    assert.doesNotMatch(await says('Desde 1998 en Tandil.'), /1998.*1998/)
  })

  test('shows how to contact it', async () => {
    const contact = {
      phone: '+54 11 5555-0142',
      whatsapp: '+54 9 11 5555-0142',
      website: 'https://agency.example/?a=1&b=2',
    }
    await setAgencyDetails(t.deps.db, t.agency.id, contact, t.clock)
    const links = attributes(await shown(t, path), 'href')
    for (const link of ['tel:+541155550142', 'https://wa.me/5491155550142', contact.website])
      assert.ok(links.includes(link), link)
  })
})

describe('pages of search results', () => {
  test('link through every listing once, keeping the search', async () => {
    const { agency, writeKey } = await t.newAgency()
    const items = Array.from({ length: 26 }, (_, index) =>
      publishable({
        title: `Casa ${index}`,
        action: 'create',
        external_id: `P-${index}`,
        photos: undefined,
        status: undefined,
      }),
    )
    const made = await t.ask('POST', '/properties/batch', { key: writeKey, body: { items } })
    assert.equal((made.body as unknown as { meta: { failed: number } }).meta.failed, 0, made.text)
    await t.deps.db
      .updateTable('properties')
      .set({ status: 'published', photos: ['a', 'b', 'c'], published_at: new Date().toISOString() })
      .where('agency_id', '=', agency.id)
      .execute()
    const own = `/inmobiliarias/${agency.slug}`
    const seen: string[] = []
    for (let next: string | undefined = `${own}?type=Casa`, pages = 1; next !== undefined; pages++) {
      const page = await shown(t, next)
      assert.match(readable(page), new RegExp(`26 resultados · Página ${pages} de 2`))
      seen.push(...titles(page))
      const rel: string = /<a[^>]*rel="next"[^>]*>/.exec(page)?.[0] ?? ''
      next = attributes(rel, 'href')[0]
      if (pages === 2)
        assert.match(
          page,
          new RegExp(`rel="prev"[^>]*href="${own}\\?type=Casa"|href="${own}\\?type&#61;Casa"`),
        )
    }
    assert.equal(new Set(seen).size, 26)
    assert.equal(seen.length, 26)
    assert.equal(linked(await shown(t, `${own}?page=2`), 'canonical'), `https://listings.test${own}?page=2`)
  })

  test('past the last one show the last', async () => {
    const [last, beyond] = await Promise.all([visit(t, `${path}?page=2`), visit(t, `${path}?page=200`)])
    assert.equal(beyond.status, 200)
    assert.deepEqual(titles(beyond.text), titles(last.text))
    assert.equal(linked(beyond.text, 'canonical'), linked(last.text, 'canonical'))
  })
})

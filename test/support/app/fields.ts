/**
 * The fields of a listing and their valid values, from the specification and docs/api.md. It is an oracle, so it imports nothing from src.
 */

/** Every field of a response that `fields` accepts, in order. */
export const fieldNames =
  'id,external_id,status,url,title,description,operation,type,price,expenses,address,location,features,amenities,photos,video_url,video_urls,virtual_tour_url,rental,reserved,agency,published_at,created_at,updated_at,missing'.split(
    ',',
  )

const text = (length: number, character = 'ñ') => character.repeat(length)
const web = (length: number) => `https://a.example/${'x'.repeat(length - 18)}`
const list = (length: number, item: unknown = 'x') => Array.from({ length }, () => item)

type Own = {
  /** As a response shows it without a value. */
  empty: null | readonly []
  takes: readonly unknown[]
  /** Values with the parameter of their error, if it is not the field. */
  refuses: readonly (readonly [value: unknown, parameter?: string])[]
  /** A value as a person types it into the form of a rented flat, and as the API then shows it. */
  typed: readonly [text: string, value: unknown]
}

/** Every field that has a value of its own, instead of parts. */
export const ownFields: Readonly<Record<string, Own>> = {
  external_id: {
    empty: null,
    takes: ['a', 'A.b_c:d-9', text(64, 'a'), null],
    refuses: [[text(65, 'a')], ['a b'], ['ñ'], ['a/b'], [''], [7], ['a\n']],
    typed: ['FORM-1', 'FORM-1'],
  },
  title: {
    empty: null,
    takes: ['x', text(200), text(200, '🏡'), ' x ', '<b>&', null],
    refuses: [[text(201)], [''], ['  '], ['\u00a0\n'], [7], [['x']]],
    typed: ['Departamento con balcón', 'Departamento con balcón'],
  },
  description: {
    empty: null,
    takes: ['a\n\nb', text(20_000), null],
    refuses: [[text(20_001)], [''], [' \n '], [false]],
    typed: ['Primera línea\r\n\r\nSegunda <b>línea</b>', 'Primera línea\n\nSegunda <b>línea</b>'],
  },
  operation: {
    empty: null,
    takes: ['sale', 'rent', 'temporary', null],
    refuses: [['Sale'], ['venta'], [''], [1]],
    typed: ['rent', 'rent'],
  },
  type: {
    empty: null,
    takes: ['Casa', 'casa', 'GALPON', 'fondo de comercio', null],
    refuses: [['Castillo'], [''], ['Casa '], ['fondo  de comercio'], ['fondo\tde comercio'], [1], [{}]],
    typed: ['Departamento', 'Departamento'],
  },
  address: {
    empty: null,
    takes: ['Calle 1 2', text(200), null],
    refuses: [[text(201)], [''], [5]],
    typed: [' Gorriti 4521, 3.º B ', 'Gorriti 4521, 3.º B'],
  },
  amenities: {
    empty: [],
    takes: [null, [], ['Pileta'], list(100), [text(80)]],
    refuses: [
      [list(101)],
      [[text(81)], 'amenities[0]'],
      [['a', ' '], 'amenities[1]'],
      [[null], 'amenities[0]'],
      ['Pileta'],
    ],
    typed: ['Pileta\r\n  Parrilla  \r\n\r\n', ['Pileta', 'Parrilla']],
  },
  video_url: {
    empty: null,
    takes: [null, 'https://a.example/v?x=1#t', 'HTTP://A.example', web(2048)],
    refuses: [
      [''],
      ['//a.example'],
      ['ftp://a.example'],
      ['a.example'],
      ['javascript:alert(1)'],
      ['https://'],
      ['https://a b.example'],
      [web(2049)],
      [7],
    ],
    typed: ['https://video.example/1', 'https://video.example/1'],
  },
  video_urls: {
    empty: [],
    takes: [null, [], list(3, 'https://a.example')],
    refuses: [
      [list(4, 'https://a.example')],
      [['https://a.example', 'x'], 'video_urls[1]'],
      [['https://'], 'video_urls[0]'],
      ['https://a.example'],
    ],
    typed: [
      'https://video.example/2\r\nhttps://video.example/3',
      ['https://video.example/2', 'https://video.example/3'],
    ],
  },
  virtual_tour_url: {
    empty: null,
    takes: [null, 'https://a.example/tour'],
    refuses: [['tour'], [' https://a.example']],
    typed: ['https://tour.example/1', 'https://tour.example/1'],
  },
}

type Feature = {
  onLots: boolean
  /** A value in canonical form, and other valid values. */
  takes: readonly [unknown, ...unknown[]]
  refuses: readonly unknown[]
  /** A value as a person types it into the form, and as the API then shows it. */
  typed: readonly [text: string, value: unknown]
}

const count = (max: number, typed: number): Feature => ({
  onLots: false,
  takes: [max, 0, 1],
  refuses: [-1, max + 1, 1.5, '2', true, [], {}],
  typed: [String(typed), typed],
})
const area: Feature = {
  onLots: false,
  takes: [35.255, 0, 10_000_000],
  refuses: [-0.5, 10_000_000.5, '5', true],
  typed: ['78', 78],
}
const flag: Feature = {
  onLots: false,
  takes: [false, true],
  refuses: ['true', 1, 0, []],
  typed: ['yes', true],
}
const choice = (...values: [string, ...string[]]): Feature => ({
  onLots: false,
  takes: values,
  refuses: ['', 'Fondo', 'Norte', 1],
  typed: [values[0], values[0]],
})

/** Every feature, in the order of responses. */
export const features: Readonly<Record<string, Feature>> = {
  bedrooms: count(50, 2),
  bathrooms: count(50, 1),
  rooms: count(50, 3),
  total_m2: { ...area, onLots: true, typed: ['1.085,5 m²', 1085.5] },
  covered_m2: area,
  garages: count(50, 0),
  age_years: count(300, 12),
  disposition: choice('Contrafrente', 'Frente', 'Interno', 'Lateral'),
  orientation: { ...choice('SE', 'N', 'S', 'E', 'O', 'NE', 'NO', 'SO'), onLots: true },
  pet_friendly: flag,
  furnished: { ...flag, typed: ['', null] },
  credit_eligible: { ...flag, onLots: true, typed: ['no', false] },
}

export const featureNames = Object.keys(features)
export const lotFeatures = featureNames.filter((name) => features[name]?.onLots)

/** Every feature with a value, or null. */
export const allFeatures = Object.fromEntries(
  Object.entries(features).map(([name, { takes }]) => [name, takes[0]]),
)
export const noFeatures = Object.fromEntries(featureNames.map((name) => [name, null]))

/** The content of a listing that has none, as a response shows it. */
export const noContent = {
  ...Object.fromEntries(Object.entries(ownFields).map(([name, { empty }]) => [name, empty])),
  price: { amount: null, currency: null, on_request: false },
  expenses: null,
  location: { city: null, province: null, neighborhood: null, lat: null, lng: null },
  location_status: null,
  features: noFeatures,
  photos: [],
  rental: null,
  reserved: false,
  missing: ['title', 'type', 'operation', 'address', 'price', 'photos'],
}

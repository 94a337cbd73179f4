/** The parameters of `GET /properties` one by one (api.md 14.1): accepted and rejected values. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { endpoints } from '../../../src/api/endpoints.ts'
import { type ApiResponse, type TestApp, testApp } from '../../support/app/app.ts'
import { refused } from '../../support/app/listings.ts'
import { fieldNames } from '../../support/app/fields.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const list = (query: string): Promise<ApiResponse> => t.ask('GET', `/properties?${query}`)

const types =
  'Casa,Departamento,PH,Lote,Local,Oficina,Cochera,Galpón,Finca,Quinta,Emprendimiento,Fondo de Comercio,Consultorio,Edificio,Hotel'
const long = (length: number, character = 'ñ') => encodeURIComponent(character.repeat(length))

const notIntegers = [
  '-1',
  '-0',
  '1.0',
  '1.5',
  '0x10',
  '1e1',
  '%205',
  '5%20',
  '+5',
  '%2B5',
  'five',
  '1,0',
  '٣',
  '1_0',
  'NaN',
  '99999999999999999999',
]
const notNumbers = [
  '-1',
  '-0',
  '-0.5',
  '0x10',
  '1e3',
  '%205',
  '5%20',
  '+5',
  '%2B5',
  'five',
  '1,5',
  '.5',
  '5.',
  '1.2.3',
  '٣',
  'NaN',
  'Infinity',
  '99999999999999999999',
]

const parameters: Record<string, { takes: readonly string[]; refuses: readonly string[]; with?: string }> = {
  operation: { takes: ['sale', 'rent', 'temporary'], refuses: ['Sale', 'venta', 'sale,rent'] },
  type: {
    takes: types
      .split(',')
      .flatMap((type) => [
        type,
        type.toUpperCase(),
        type.toLowerCase().normalize('NFD'),
        type.replace('ó', 'o'),
      ])
      .map(encodeURIComponent),
    refuses: ['Castillo', 'Cas', 'Casa,PH', 'Fondo', 'P.H.'],
  },
  city: {
    takes: ['La+Plata', long(80), long(80, '🏡'), '%25', '.'],
    refuses: [long(81), long(81, '🏡'), '%CC%81'],
  },
  neighborhood: { takes: ['Núñez', long(80)], refuses: [long(81), '%CC%81'] },
  min_price: {
    takes: ['0', '0.01', '99.99', '1000000000000', '007', '0.0000001'],
    refuses: [...notNumbers, '1000000000000.01', '1000000000001'],
    with: 'currency=USD',
  },
  max_price: {
    takes: ['0', '0.01', '1000000000000'],
    refuses: [...notNumbers, '1000000000001'],
    with: 'currency=ARS',
  },
  currency: { takes: ['USD', 'ARS'], refuses: ['usd', 'EUR', 'U$S'] },
  bedrooms: { takes: ['0', '2', '50'], refuses: [...notIntegers, '51'] },
  bathrooms: { takes: ['0', '50'], refuses: [...notIntegers, '51'] },
  min_m2: { takes: ['0', '0.5', '10000000'], refuses: [...notNumbers, '10000000.1', '10000001'] },
  max_m2: { takes: ['0', '35.25', '10000000'], refuses: [...notNumbers, '10000001'] },
  q: {
    takes: ['casa', long(80), "d'or+3/4+a-b+x.", 'casa!!'],
    refuses: [long(81), '!!!', '%F0%9F%8F%A1', '%25_%5C'],
  },
  updated_since: {
    takes: [
      '2026-11-20',
      '2026-11-20T09:30',
      '2026-11-20T09:30:00',
      '2026-11-20T09:30:00.123Z',
      '2026-11-20T09:30:00-03:00',
      '2026-11-20T09:30:00%2B0530',
      '2026-11-20T09:30:00+05:30',
    ],
    refuses: [
      'yesterday',
      '2026-11',
      '20/11/2026',
      '2026-02-30',
      '2026-11-20T25:00:00Z',
      '2026-11-20T09:30:00X',
      '1763631000',
      '2026-11-20+09:30',
      '2026-11-20T09:30:00++03:00',
    ],
  },
  status: {
    takes: ['published', 'draft', 'disabled', 'all'],
    refuses: ['deleted', 'Draft', 'draft,published'],
  },
  external_id: { takes: ['A.b_c:d-1', 'a'.repeat(64)], refuses: ['a'.repeat(65), 'a+b', '%C3%B1', 'a%2Fb'] },
  sort: {
    takes: ['recent', 'price_asc', 'price_desc', 'updated'],
    refuses: ['price', '-price', 'id', 'RECENT'],
  },
  page: { takes: ['1', '200'], refuses: [...notIntegers, '0', '201'] },
  per_page: { takes: ['1', '20', '50'], refuses: [...notIntegers, '0', '51', '100'] },
  fields: {
    takes: [...fieldNames, fieldNames.join(','), 'title,id', 'price%2Ctitle'],
    refuses: [
      'titles',
      'title,',
      ',title',
      'title,,id',
      'title, id',
      'Title',
      'location_status',
      'agency_id',
      'title;id',
      '*',
      'location.city',
    ],
  },
}

describe('each parameter of a list', () => {
  for (const [name, { takes, refuses, ...beside }] of Object.entries(parameters)) {
    const query = (value: string) => `${name}=${value}${beside.with === undefined ? '' : `&${beside.with}`}`
    test(`${name} accepts valid values`, async () => {
      for (const value of takes) {
        const response = await list(query(value))
        assert.equal(response.status, 200, `${name}=${value} → ${response.text}`)
        // The response's own `self` link is accepted too, and gives the same list.
        const { links } = response.body as unknown as { links: { self: string } }
        const self = await list(new URL(links.self).search.slice(1))
        assert.deepEqual([self.status, self.body], [200, response.body], links.self)
      }
    })
    test(`${name} refuses other values, and the error names it`, async () => {
      for (const value of [...refuses, 'x%00', '%FF', '%', '', '%20', '+', '%E2%80%83']) {
        refused(await list(query(value)), 'invalid_parameter', name)
      }
    })
    test(`${name} is refused if sent twice`, async () => {
      const [value = ''] = takes
      refused(await list(`${query(value)}&${name}=${value}`), 'invalid_parameter', name)
      refused(
        await list(`${query(value)}&%${name.charCodeAt(0).toString(16)}${name.slice(1)}=${value}`),
        'invalid_parameter',
        name,
      )
    })
    test(`${name} is case-sensitive`, async () => {
      const [value = ''] = takes
      refused(await list(`${name.toUpperCase()}=${value}`), 'invalid_parameter', name.toUpperCase())
    })
  }

  test('is tested here, and no other is accepted', async () => {
    const documented = endpoints.find(({ operationId }) => operationId === 'listProperties')?.query
    assert.deepEqual(Object.keys(parameters).sort(), Object.keys(documented?.properties ?? {}).sort())
    for (const name of ['limit', 'offset', 'order', 'province', 'min_bedrooms', 'reserved', 'id']) {
      refused(await list(`${name}=1`), 'invalid_parameter', name)
    }
  })

  test('min_price and max_price need currency', async () => {
    for (const query of [
      'min_price=1',
      'max_price=1',
      'min_price=1&max_price=2',
      'min_price=0&operation=sale',
    ]) {
      refused(await list(query), 'invalid_parameter', 'currency')
    }
    assert.equal((await list('min_price=2&max_price=1&currency=USD')).status, 200)
  })
})

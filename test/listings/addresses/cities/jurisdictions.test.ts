/** The 24 jurisdictions and their aliases (api.md 12.4). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findJurisdiction, jurisdictions } from '../../../../src/listings/addresses/cities/jurisdictions.ts'

test('there are 24 jurisdictions, each with its own code and name', () => {
  assert.equal(jurisdictions.length, 24)
  assert.equal(new Set(jurisdictions.map(({ code }) => code)).size, 24)
  assert.equal(new Set(jurisdictions.map(({ name }) => name)).size, 24)
})

test('each jurisdiction is found by every name, in any case, with accents, dots and spaces or as a province', () => {
  for (const jurisdiction of jurisdictions) {
    for (const name of [jurisdiction.name, jurisdiction.code, ...jurisdiction.aliases]) {
      const bare = name.normalize('NFD').replace(/\p{M}/gu, '')
      for (const way of [name, name.toUpperCase(), bare, bare.replace(/[. ]/gu, ''), `  ${name} `]) {
        assert.equal(findJurisdiction(way)?.code, jurisdiction.code, way)
      }
    }
    for (const before of ['Provincia de', 'Prov. de', 'Pcia.', 'provincia del']) {
      assert.equal(findJurisdiction(`${before} ${jurisdiction.name}`)?.code, jurisdiction.code, before)
    }
  }
})

test('the usual aliases of jurisdictions are resolved', () => {
  const expected: Record<string, string> = {
    CABA: 'AR-C',
    'C.A.B.A.': 'AR-C',
    'Capital Federal': 'AR-C',
    'cap. fed.': 'AR-C',
    'Ciudad de Buenos Aires': 'AR-C',
    'Cdad. Autónoma de Bs. As.': 'AR-C',
    'Ciudad Autonoma Buenos Aires': 'AR-C',
    'Buenos Aires': 'AR-B',
    'Bs. As.': 'AR-B',
    'Bs.As.': 'AR-B',
    GBA: 'AR-B',
    'G.B.A.': 'AR-B',
    'Bs.As. G.B.A. Zona Norte': 'AR-B',
    'Pcia. de Bs. As.': 'AR-B',
    Cba: 'AR-X',
    'Sta. Fe': 'AR-S',
    'Sgo. del Estero': 'AR-G',
    'Tierra del Fuego, Antártida e Islas del Atlántico Sur': 'AR-V',
    'Provincia del Chaco': 'AR-H',
    'Provincia de La Pampa': 'AR-L',
  }
  for (const [name, code] of Object.entries(expected)) assert.equal(findJurisdiction(name)?.code, code, name)
})

test('no other text is recognized as a jurisdiction', () => {
  for (const name of [
    '',
    ' ',
    'Rosario',
    'de',
    'Provincia',
    'Nueva Córdoba',
    'de Santa Fe',
    'Montevideo',
    'Capital',
  ]) {
    assert.equal(findJurisdiction(name), null, name)
  }
})

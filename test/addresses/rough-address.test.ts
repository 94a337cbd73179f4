/** An address without its door: the hundred, as people say it, and never more than is certain. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roughAddress } from '../../src/addresses/rough-address.ts'
import { corpus } from './corpus.ts'

const cases: [string, string | null][] = [
  ['Av. Corrientes 1234 3º B, CABA', 'Avenida Corrientes al 1200'],
  ['Calle 54 Nº 816', 'Calle 54 al 800'],
  ['Corrientes 1.234', 'Corrientes al 1200'],
  ['Corrientes al 1200', 'Corrientes al 1200'],
  ['Av. Rivadavia 12345', 'Avenida Rivadavia al 12300'],
  ['9 de Julio 1050 PB', '9 de Julio al 1000'],
  ['Diagonal 74 1520 bis', 'Diagonal 74 al 1500'],
  // There is no hundred to name.
  ['Pasaje Bollini 55', 'Pasaje Bollini'],
  ['Ruta 8 km 50,5', 'Ruta 8'],
  ['Country Los Lagartos lote 120', 'Country Los Lagartos'],
  ['Pasaje Los Álamos s/n', 'Pasaje Los Álamos'],
  // A corner tells the place.
  ['Corrientes y Callao', 'Corrientes'],
  ['esq. Corrientes y Callao', 'Corrientes'],
  // The number may be in it.
  ['25 de Mayo 25', null],
  ['Calle 50 50', null],
  ['11 de Septiembre de 1888 4000', null],
  ['Corrientes mil doscientos treinta y cuatro', null],
  ['San Martín 1234 5678', null],
  ['1234', null],
  ['???', null],
]
for (const [address, rough] of cases)
  test(`${address} → ${rough}`, () => assert.equal(roughAddress(address), rough))

test('no address of the corpus keeps its number or unit', () => {
  let shown = 0
  for (const { address, place, read } of corpus) {
    const rough = roughAddress(address, place)
    if (rough === null) continue
    shown += 1
    const number = /\d+/.exec(read.number ?? '')?.[0] ?? ''
    if (number !== '' && Number(number) % 100 !== 0)
      assert.ok(!rough.split(/\D+/).includes(number), `${address} → ${rough}`)
    if (read.unit !== null) assert.ok(!rough.includes(read.unit), `${address} → ${rough}`)
    if (/^\d{3,}$/.test(read.number ?? '') && Number(number) < 1e6) assert.match(rough, / al \d+00$/, address)
  }
  assert.ok(shown > corpus.length * 0.9)
})

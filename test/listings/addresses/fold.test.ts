/** Text folded for comparison (api.md 12.4): Latin letters use a table, all others the general rules. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { foldForAddress, foldTight, plainText } from '../../../src/listings/addresses/fold.ts'

const latin = fc.string({ unit: fc.integer({ min: 0, max: 0xff }).map((code) => String.fromCharCode(code)) })

/** The change applied to `text` between two letters, so that the table applies to all of it or not at all. */
const between = (letter: string, text: string, change: (text: string) => string) =>
  change(letter + text + letter).slice(1, -1)

describe('a Latin text', () => {
  for (const change of [foldForAddress, foldTight, plainText]) {
    it(`is the same for ${change.name} among other letters`, () => {
      fc.assert(
        fc.property(latin, (text) =>
          assert.equal(between('x', text, change), between('\u5317', text, change)),
        ),
        { numRuns: 5000 },
      )
    })
  }

  it('is folded as people compare it', () => {
    const texts: Record<string, string> = {
      "Núñez D'Onofrio": 'nunez donofrio',
      'Straße Ærø': 'strasse ærø',
      'N.º 3ª': 'n.o 3a',
      ÀÉÎÕÜÇÑŸ: 'aeioucny',
    }
    for (const [text, folded] of Object.entries(texts)) assert.equal(foldForAddress(text), folded)
    assert.equal(foldTight("  Bs. As. / D'Elía 3 "), 'bsasdelia3')
    assert.equal(plainText('N° 3ª D´Elía\u00a0½'), "N\u00ba 3ª D'Elía 1⁄2")
  })
})

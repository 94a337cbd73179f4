/** Text folded for comparison (api.md 12.4) and for search (api.md 14.2): Latin letters use a table, all others the general rules. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { foldForAddress, foldForSearch, foldTight, plainText } from '../../../src/listings/addresses/fold.ts'

const latin = fc.string({ unit: fc.integer({ min: 0, max: 0xff }).map((code) => String.fromCharCode(code)) })

/** The change applied to `text` between two letters, so that the table applies to all of it or not at all. */
const between = (letter: string, text: string, change: (text: string) => string) =>
  change(letter + text + letter).slice(1, -1)

describe('a Latin text', () => {
  for (const change of [foldForAddress, foldTight, plainText]) {
    test(`is the same for ${change.name} among other letters`, () => {
      fc.assert(
        fc.property(latin, (text) =>
          assert.equal(between('x', text, change), between('\u5317', text, change)),
        ),
        { numRuns: 5000 },
      )
    })
  }

  test('is folded as people compare it', () => {
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

describe('foldForSearch', () => {
  test('removes case, accents and runs of white space', () => {
    const texts: Record<string, string> = {
      '': '',
      '  Galpón \t\n en   NÚÑEZ ': 'galpon en nunez',
      'pingüino ÇEDILLA': 'pinguino cedilla',
      'e\u0301pico': 'epico',
      İzmir: 'izmir',
      'Ångström ŁÓDŹ': 'angstrom łodz',
      Straße: 'straße',
      'a\u00a0b\u2003c': 'a b c',
      '100% «única» 🏡': '100% «unica» 🏡',
      서울: '서울',
    }
    for (const [text, folded] of Object.entries(texts)) assert.equal(foldForSearch(text), folded)
  })

  test('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (text) =>
        assert.equal(foldForSearch(foldForSearch(text)), foldForSearch(text)),
      ),
      { numRuns: 2000 },
    )
  })

  test('is the same for Latin text among other letters', () => {
    const latin = fc.string({ unit: fc.integer({ min: 0, max: 0xff }).map((c) => String.fromCharCode(c)) })
    const between = (letter: string, text: string) => foldForSearch(letter + text + letter).slice(1, -1)
    fc.assert(
      fc.property(latin, (text) => assert.equal(between('x', text), between('\u5317', text))),
      { numRuns: 5000 },
    )
  })

  test('is the same for every encoding of a Spanish text', () => {
    const spanish = fc.stringMatching(/^[a-zA-ZáéíóúüñÁÉÍÓÚÜÑçÇ0-9 .'/-]{0,30}$/)
    fc.assert(
      fc.property(spanish, (text) => {
        const plain = foldForSearch(text)
        assert.match(plain, /^[a-z0-9 .'/-]*$/)
        for (const other of [
          text.toUpperCase(),
          text.toLowerCase(),
          text.normalize('NFD'),
          text.normalize('NFC'),
          ` ${text}  `,
        ]) {
          assert.equal(foldForSearch(other), plain)
        }
      }),
    )
  })
})

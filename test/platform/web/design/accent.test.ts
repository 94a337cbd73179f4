/** Agencies' accent colours: text in or on any colour is readable on every background. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { schemes, shadesOf } from '../../../../src/platform/web/design/accent.ts'
import { colour } from '../../../../src/platform/web/design/design.ts'
import { contrast } from '../contrast.ts'

const anyColour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`)

test('contrast matches WCAG', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21)
  assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48')
})

test('every colour is readable in the light and in the dark scheme', () => {
  fc.assert(
    fc.property(anyColour, (chosen) => {
      for (const scheme of schemes) {
        const { accent, accentStrong, accentSoft, onAccent } = shadesOf(chosen)[scheme]
        const grounds = [...['canvas', 'surface', 'sunken'].map((name) => colour(name, scheme)), accentSoft]
        for (const ground of grounds)
          for (const text of [accent, accentStrong])
            assert.ok(contrast(text, ground) >= 4.5, `${scheme}: ${chosen} became ${text} on ${ground}`)
        for (const ground of [accent, accentStrong])
          assert.ok(contrast(onAccent, ground) >= 4.5, `${scheme}: ${onAccent} on ${ground}`)
      }
    }),
    { numRuns: 500, examples: [['#ffffff'], ['#000000'], ['#ffff00'], ['#808080'], ['#ff0000']] },
  )
})

test('a readable colour is not changed', () => {
  assert.equal(shadesOf('#1f5a4c').light.accent, '#1f5a4c')
})

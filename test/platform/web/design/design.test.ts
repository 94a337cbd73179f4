/** The design tokens: both schemes define every colour, texts are readable on every background, and styles use only these colours. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { colour, sharedStyle } from '../../../../src/platform/web/design/design.ts'
import { contrast } from '../contrast.ts'

const source = new URL('../../../../src/', import.meta.url)
const sheetsOf = (folder: string) =>
  readdirSync(new URL(folder, source))
    .filter((name) => name.endsWith('.css'))
    .map((name) => [name, readFileSync(new URL(folder + name, source), 'utf8')] as const)
const tokens = Object.fromEntries(sheetsOf('platform/web/design/'))
const sheets = ['pages/dashboard/design/', 'pages/site/assets/', 'platform/web/map/'].flatMap(sheetsOf)

const grounds = ['canvas', 'surface', 'sunken']
/** Text → its background. */
const pairs: Readonly<Record<string, readonly string[]>> = {
  ink: [...grounds, 'accent-soft', 'good-soft', 'warn-soft', 'bad-soft', 'info-soft'],
  muted: [...grounds, 'accent-soft', 'good-soft', 'warn-soft', 'bad-soft', 'info-soft'],
  accent: [...grounds, 'accent-soft'],
  'accent-strong': [...grounds, 'accent-soft'],
  'on-accent': ['accent', 'accent-strong'],
  warm: ['canvas', 'surface'],
  good: [...grounds, 'good-soft'],
  warn: [...grounds, 'warn-soft'],
  bad: [...grounds, 'bad-soft'],
  'on-bad': ['bad'],
  info: [...grounds, 'info-soft'],
  'night-text': ['night'],
  'night-strong': ['night'],
  'night-mark': ['night'],
}

for (const scheme of ['light', 'dark'] as const) {
  describe(scheme, () => {
    test('texts have a contrast of 4.5 with their background', () => {
      for (const [text, under] of Object.entries(pairs)) {
        for (const ground of under) {
          const found = contrast(colour(text, scheme), colour(ground, scheme))
          assert.ok(found >= 4.5, `${text} on ${ground}: ${found.toFixed(2)}`)
        }
      }
    })
    test('the edges of fields have a contrast of 3', () => {
      for (const ground of ['canvas', 'surface']) {
        const found = contrast(colour('field', scheme), colour(ground, scheme))
        assert.ok(found >= 3, `on ${ground}: ${found.toFixed(2)}`)
      }
    })
  })
}

test('everything that the dark scheme changes is a token', () => {
  for (const [, name] of (tokens['dark.css'] ?? '').matchAll(/(--[\w-]+):/g))
    assert.match(tokens['tokens.css'] ?? '', new RegExp(`${name}:`))
})

test('styles use no literal colour and no unknown token', () => {
  const known = new Set(
    [
      ...sharedStyle('')
        .toString()
        .matchAll(/(--[\w-]+):/g),
    ].map(([, name]) => name),
  )
  for (const [file, text] of sheets) {
    const plain = text.replaceAll(/\/\*.*?\*\//gs, '')
    assert.deepEqual(
      plain.match(/#[0-9a-f]{3,8}\b(?=[^{}]*;)|\b(rgb|hsl|oklch)a?\([^)]*\)|:\s*(white|black)\b/gi),
      null,
      file,
    )
    const own = new Set([...plain.matchAll(/(--[\w-]+):/g)].map(([, name]) => name))
    const used = [...plain.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name ?? '')
    assert.deepEqual(
      used.filter((name) => !known.has(name) && !own.has(name)),
      [],
      file,
    )
  }
})

test('a stylesheet for a page with a switch contains the dark scheme twice, from one definition in the source', () => {
  const style = sharedStyle('../site/', true).toString()
  assert.match(style, /url\(\.\.\/site\/figtree\.[0-9a-f]{12}\.woff2\)/)
  assert.match(style, /:root:not\(\[data-theme='light'\]\) \{/)
  assert.match(style, /\n:root\[data-theme='dark'\] \{/)
  assert.doesNotMatch(sharedStyle('').toString(), /data-theme/)
})

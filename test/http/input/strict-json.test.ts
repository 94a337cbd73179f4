/** Strict JSON (api.md 4.3): an accepted body is parsed as JSON.parse does, and everything else is rejected. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ApiError, checked } from '../../../src/platform/errors/errors.ts'
import { isStorable, parseStrictJson } from '../../../src/http/input/strict-json.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const parse = (text: string | Uint8Array, onInexact: (path: string) => void = () => {}) =>
  checked((problems) =>
    parseStrictJson(typeof text === 'string' ? bytes(text) : text, problems, onInexact, undefined),
  )
const refuses = (text: string | Uint8Array, parameter: string) =>
  assert.throws(
    () => parse(text),
    (error) =>
      error instanceof ApiError && error.code === 'invalid_parameter' && error.parameter === parameter,
    `expected 400 ${parameter}`,
  )

describe('parseStrictJson', () => {
  test('reads every JSON value as JSON.parse does', () => {
    const value = fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' }).filter((json) => isClean(json))
    fc.assert(
      fc.property(value, fc.boolean(), (json, spaced) => {
        const text = JSON.stringify(json, null, spaced ? 2 : 0)
        assert.deepEqual(parse(text), JSON.parse(text))
      }),
      { numRuns: 500 },
    )
  })

  test('keeps every storable string, escaped or not', () => {
    for (const text of [
      'ñandú',
      '🏡',
      'a\r\n\tb',
      '\u0001',
      '\u2028\u2029',
      '\ufeffx',
      '\ufffd',
      '"\\/',
      '\u202e',
    ]) {
      assert.deepEqual(parse(JSON.stringify({ text })), { text })
      const escaped = [...text]
        .flatMap((character) => character.split(''))
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      assert.deepEqual(parse(`{"text":"${escaped.join('')}"}`), { text })
    }
  })

  test('refuses invalid JSON, as JSON.parse does', () => {
    const parts = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      ':',
      ',',
      'a',
      '1',
      '-',
      '.',
      'e',
      'null',
      'true',
      '\\',
      ' ',
      '//',
      '/*',
      "'",
      '\n',
      '\u0000',
    )
    fc.assert(
      fc.property(
        fc.array(parts, { maxLength: 12 }).map((list) => list.join('')),
        (text) => {
          let valid = true
          try {
            JSON.parse(text)
          } catch {
            valid = false
          }
          if (!valid) refuses(text, 'body')
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('refuses a field given twice at any depth, and names it', () => {
    const path = fc.array(fc.oneof(fc.constantFrom('a', 'b_c', 'items'), fc.nat({ max: 3 })), {
      minLength: 1,
      maxLength: 8,
    })
    fc.assert(
      fc.property(path, (places) => {
        let text = '{"twice":1,"other":{"twice":2},"twice":1}'
        let name = 'twice'
        for (const place of places.toReversed()) {
          text =
            typeof place === 'number'
              ? `[${'0,'.repeat(place)}${text}]`
              : `{"before":[{}],"${place}":${text}}`
          const first = name.startsWith('[') ? name : `.${name}`
          name = typeof place === 'number' ? `[${place}]${first}` : `${place}${first}`
        }
        refuses(text, name)
      }),
    )
  })

  test('accepts the same name in different objects', () => {
    assert.deepEqual(parse('{"a":{"a":1},"b":[{"a":1},{"a":2}]}'), { a: { a: 1 }, b: [{ a: 1 }, { a: 2 }] })
  })

  test('refuses __proto__ and no similar name', () => {
    refuses('{"__proto__":null}', '__proto__')
    refuses('{"a":[{"b":{"__proto__":{}}}]}', 'a[0].b.__proto__')
    refuses(String.raw`{"\u005f\u005fproto__":1}`, '__proto__')
    assert.deepEqual(Object.keys(parse('{"constructor":1,"prototype":2,"hasOwnProperty":3}') as object), [
      'constructor',
      'prototype',
      'hasOwnProperty',
    ])
    assert.deepEqual(parse('{"a":"__proto__"}'), { a: '__proto__' })
  })

  test('refuses U+0000 and lone surrogates, in strings and names', () => {
    refuses(String.raw`{"a":["x","\u0000"]}`, 'a[1]')
    refuses(String.raw`{"a":"\ud800x"}`, 'a')
    refuses(String.raw`"\udc00"`, 'body')
    refuses(String.raw`{"a":{"\udc00":1}}`, 'a.\ufffd')
    refuses(String.raw`{"a\u0000":1}`, 'a\0')
    assert.deepEqual(parse(String.raw`{"a":"\ud83c\udfe1","b":"\\u0000"}`), {
      a: '🏡',
      b: String.raw`\u0000`,
    })
  })

  test('accepts 32 levels and no more, whatever strings contain', () => {
    const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    for (const make of [lists, objects]) {
      assert.deepEqual(parse(make(32)), JSON.parse(make(32)))
      refuses(make(33), 'body')
      refuses(make(5000), 'body')
    }
    const text = JSON.stringify({ a: '['.repeat(100), 'b"\\[{[': `\\"${'{'.repeat(100)}` })
    assert.deepEqual(parse(text), JSON.parse(text))
    refuses('['.repeat(1_000_000), 'body')
    refuses(`{"a":${'['.repeat(500_000)}${']'.repeat(500_000)},"a":1}`, 'body')
  })

  test('reads only UTF-8', () => {
    for (const wrong of [
      '22ff22',
      '22c0af22',
      '22eda08022',
      '22f490808022',
      '22e28222',
      'fffe7b007d00',
      'efbbbf7b7d',
    ]) {
      refuses(Buffer.from(wrong, 'hex'), 'body')
    }
    assert.equal(parse(Buffer.from('22e282ac22', 'hex')), '€')
    refuses(new Uint8Array(), 'body')
  })

  test('reads a large body in linear time', () => {
    const wide = JSON.stringify(
      Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`f${index}`, index])),
    )
    assert.equal(Object.keys(parse(wide) as object).length, 20_000)
  })
})

describe('numbers that a double cannot hold exactly', () => {
  const inexact = (text: string) => {
    const paths: string[] = []
    parse(text, (path) => paths.push(path))
    return paths
  }

  test('are reported by their paths', () => {
    const text =
      '{"a":1.5,"b":[1,{"c":999999999999.999999999999}],"d":1e400,"e":1e-400,"f":-0.0,"g":0e999,"h":9007199254740993}'
    assert.deepEqual(inexact(text), ['b[1].c', 'd', 'e', 'h'])
    assert.deepEqual(inexact('0.1000000000000000055511151231257827'), ['body'])
    assert.deepEqual(inexact('["999999999999.999999999999"]'), [])
  })

  test('do not include a double printed by any language', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        for (const text of [String(value), value.toExponential(), JSON.stringify(value)])
          assert.deepEqual(inexact(text.replace('e+', 'e')), [])
      }),
      { numRuns: 2000 },
    )
  })

  test('do not include numbers of up to fifteen digits, with zeros before and after', () => {
    const digits = fc.nat({ max: 999_999_999_999_999 })
    fc.assert(
      fc.property(
        digits,
        fc.integer({ min: -20, max: 20 }),
        fc.nat({ max: 30 }),
        (whole, exponent, zeros) => {
          assert.deepEqual(inexact(`${whole}.${'0'.repeat(zeros + 1)}e${exponent}`), [])
        },
      ),
    )
  })
})

test('isStorable returns what PostgreSQL and UTF-8 can represent', () => {
  for (const text of ['', 'a', '🏡', '\u0001', '\uffff']) assert.equal(isStorable(text), true)
  for (const text of ['\0', 'a\0b', '\ud800', '\udc00a', '🏡\udfe1']) assert.equal(isStorable(text), false)
})

/** Whether the value contains nothing that is rejected on purpose. */
function isClean(json: unknown): boolean {
  if (typeof json === 'string') return isStorable(json)
  if (typeof json !== 'object' || json === null) return true
  return Object.entries(json).every(
    ([name, value]) => name !== '__proto__' && isStorable(name) && isClean(value),
  )
}

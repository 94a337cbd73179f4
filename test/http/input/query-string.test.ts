/** Strict parsing of query strings (api.md 4.2): each parameter once, never empty, in UTF-8. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ApiError, checked } from '../../../src/platform/errors/errors.ts'
import { parseQueryString } from '../../../src/http/input/read-input.ts'

const parse = (text: string) => checked((problems) => parseQueryString(text, problems))

const refuses = (text: string, parameter: string) =>
  assert.throws(
    () => parse(text),
    (error) =>
      error instanceof ApiError && error.code === 'invalid_parameter' && error.parameter === parameter,
    text,
  )

describe('parseQueryString', () => {
  test('reads what all common clients send', () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
      .filter((text) => text.isWellFormed() && !text.includes('\0'))
    const value = name.filter((text) => text.trim() !== '')
    const parameters = fc.uniqueArray(fc.tuple(name, value), { selector: ([own]) => own, maxLength: 6 })
    fc.assert(
      fc.property(parameters, fc.boolean(), (pairs, asForm) => {
        const text = asForm
          ? new URLSearchParams(pairs).toString()
          : pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
        assert.deepEqual([...parse(text)], pairs)
      }),
    )
  })

  test('reads + as a space, = in values, and stray ampersands', () => {
    assert.deepEqual([...parse('')], [])
    assert.deepEqual([...parse('&&')], [])
    assert.deepEqual(
      [...parse('&city=La+Plata&q=a=b%3Dc&&x=%2B&')],
      [
        ['city', 'La Plata'],
        ['q', 'a=b=c'],
        ['x', '+'],
      ],
    )
    assert.deepEqual([...parse('q= a ')], [['q', ' a ']])
  })

  test('refuses a parameter given twice, however it is written', () => {
    refuses('page=1&page=2', 'page')
    refuses('page=1&x=1&%70age=1', 'page')
    refuses('a+b=1&a%20b=1', 'a b')
  })

  test('refuses an empty or blank value, and a value without a name', () => {
    for (const value of ['', '=', '=%20', '=+', '=%09%0A', '=%C2%A0', '=%E2%80%83', '=%EF%BB%BF'])
      refuses(`q${value}`, 'q')
    for (const text of ['=', '=5', 'a=1&=2', '==', '=%zz']) refuses(text, 'query')
  })

  test('refuses anything except percent-encoded UTF-8, and U+0000', () => {
    for (const value of ['%', '%z1', '%1', '%ff', '%c0%af', '%ed%a0%80', '%00', 'a%00b'])
      refuses(`q=${value}`, 'q')
    for (const name of ['%', '%ff', '%00']) refuses(`${name}=1`, 'query')
  })
})

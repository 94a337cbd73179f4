/** Validation of queries and bodies (api.md 5.2): the error names the parameter by its path. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import Type, { type TObject } from 'typebox'
import { ApiError, checked } from '../../../src/platform/errors/errors.ts'
import { bodyCheck, queryReader } from '../../../src/http/input/validation.ts'

/** Runs the check. @returns the parameter and message of the 400, or null when it passes */
function problem(run: () => unknown): { parameter: string | undefined; message: string } | null {
  try {
    run()
    return null
  } catch (error) {
    assert.ok(error instanceof ApiError && error.code === 'invalid_parameter', String(error))
    return { parameter: error.parameter, message: error.message }
  }
}

const strict = { additionalProperties: false }
const checkBody = bodyCheck(
  Type.Object(
    {
      title: Type.Optional(Type.String({ maxLength: 5, pattern: String.raw`\S` })),
      operation: Type.Optional(
        Type.Unsafe<string | null>({ type: ['string', 'null'], enum: ['sale', 'rent', null] }),
      ),
      price: Type.Optional(
        Type.Object({ amount: Type.Number({ maximum: 10 }), period: Type.Optional(Type.String()) }, strict),
      ),
      photos: Type.Optional(Type.Array(Type.String(), { maxItems: 3 })),
      items: Type.Optional(Type.Array(Type.Object({ title: Type.String() }, strict))),
      free: Type.Optional(Type.Object({})),
    },
    strict,
  ),
)

const check = (body: unknown, prefix?: string) => checked((problems) => checkBody(body, problems, prefix))

describe('bodyCheck', () => {
  test('accepts valid bodies', () => {
    const fitting = [
      {},
      {
        title: 'a',
        operation: null,
        price: { amount: 1 },
        photos: [],
        items: [{ title: '' }],
        free: { x: 1 },
      },
    ]
    for (const body of fitting)
      assert.equal(
        problem(() => check(body)),
        null,
      )
  })

  test('names an invalid value by its path, at any depth', () => {
    const wrong: readonly (readonly [body: unknown, parameter: string])[] = [
      [null, 'body'],
      [[], 'body'],
      ['x', 'body'],
      [{ title: 1 }, 'title'],
      [{ title: 'longer' }, 'title'],
      [{ title: ' ' }, 'title'],
      [{ operation: 'buy' }, 'operation'],
      [{ price: 1 }, 'price'],
      [{ price: {} }, 'price.amount'],
      [{ price: { amount: 11 } }, 'price.amount'],
      [{ price: { amount: 1, period: 2 } }, 'price.period'],
      [{ price: { amount: 1, perod: 'x' } }, 'price.perod'],
      [{ photos: ['a', 'b', 3] }, 'photos[2]'],
      [{ photos: ['a', 'b', 'c', 'd'] }, 'photos'],
      [{ items: [{ title: 'a' }, {}] }, 'items[1].title'],
      [{ items: [{ title: 'a' }, { title: 'a', '0': 1 }] }, 'items[1].0'],
      [{ surprise: 1 }, 'surprise'],
      [{ '7': 1 }, '7'],
      [{ 'a/b~c': 1 }, 'a/b~c'],
      [{ '~1': 1 }, '~1'],
      [{ '': 1 }, ''],
      [{ constructor: 1 }, 'constructor'],
    ]
    for (const [body, parameter] of wrong) {
      if (parameter !== '')
        assert.equal(problem(() => check(body))?.parameter, parameter, JSON.stringify(body))
      else assert.ok(problem(() => check(body)) !== null)
    }
  })

  test('prefixes the path with that of the item', () => {
    assert.equal(problem(() => check({ title: 1 }, 'items[3]'))?.parameter, 'items[3].title')
    assert.equal(
      problem(() => check({ price: { amount: 'x' } }, 'items[3]'))?.parameter,
      'items[3].price.amount',
    )
    assert.equal(problem(() => check({ photos: [1] }, 'items[0]'))?.parameter, 'items[0].photos[0]')
    assert.equal(problem(() => check(7, 'items[3]'))?.parameter, 'items[3]')
  })

  test('says what would be valid', () => {
    assert.match(problem(() => check({ operation: 'x' }))?.message ?? '', /sale, rent\.$/)
    assert.match(problem(() => check({ surprise: 1 }))?.message ?? '', /^surprise is not a field/)
    assert.match(problem(() => check({ price: {} }))?.message ?? '', /^price\.amount is required/)
    assert.match(problem(() => check({ title: ' ' }))?.message ?? '', /blank/)
    assert.match(problem(() => check({ title: 'longer' }))?.message ?? '', /5/)
  })

  test('counts code points, not bytes or UTF-16 units', () => {
    assert.equal(
      problem(() => check({ title: '🏡'.repeat(5) })),
      null,
    )
    assert.equal(problem(() => check({ title: '🏡'.repeat(6) }))?.parameter, 'title')
    assert.equal(
      problem(() => check({ title: 'ñ'.repeat(5) })),
      null,
    )
    // Each accent on a letter counts as a character.
    assert.equal(problem(() => check({ title: `a${'\u0301'.repeat(10_000)}` }))?.parameter, 'title')
  })
})

describe('queryReader', () => {
  const schema: TObject = Type.Object({
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    min: Type.Optional(Type.Number({ minimum: 0, maximum: 1e12 })),
    sort: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: ['a', 'b'] })),
    q: Type.Optional(Type.String({ maxLength: 3 })),
  })
  const readQuery = queryReader(schema)
  const read = (parameters: ReadonlyMap<string, string>) =>
    checked((problems) => readQuery(parameters, problems))
  const of = (name: string, value: string) => () => read(new Map([[name, value]]))

  test('reads strings as strings and numbers as numbers', () => {
    const parameters = new Map([
      ['page', '7'],
      ['min', '0.50'],
      ['sort', 'b'],
      ['q', '12'],
    ])
    assert.deepEqual(read(parameters), { page: 7, min: 0.5, sort: 'b', q: '12' })
    assert.deepEqual(read(new Map()), {})
    assert.deepEqual(read(new Map([['min', '1000000000000']])), { min: 1e12 })
  })

  test('accepts only decimal digits as a number', () => {
    const never = [
      '0x10',
      '1e1',
      ' 5',
      '5 ',
      '+5',
      '-5',
      '-0',
      '',
      'NaN',
      'Infinity',
      '٣',
      '1_0',
      '1,5',
      '9'.repeat(16),
      '\t5',
      '5n',
    ]
    for (const value of never) {
      assert.equal(problem(of('page', value))?.parameter, 'page', value)
      assert.equal(problem(of('min', value))?.parameter, 'min', value)
    }
    for (const value of ['1.0', '1.5', '0', '201'])
      assert.equal(problem(of('page', value))?.parameter, 'page', value)
    for (const value of ['.5', '5.', '1.2.3', '1000000000000.1'])
      assert.equal(problem(of('min', value))?.parameter, 'min', value)
  })

  test('refuses unknown parameters, including names inherited by objects', () => {
    for (const name of ['limit', 'Page', '__proto__', 'constructor', 'toString']) {
      assert.equal(problem(of(name, '1'))?.parameter, name)
    }
    assert.equal(problem(of('sort', 'c'))?.parameter, 'sort')
    assert.equal(problem(of('q', 'four'))?.parameter, 'q')
  })
})

/** TypeBox schemas become schemas of OpenAPI: those with a title are defined once and referenced, all others stay inline. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { schemaCollector } from '../../../src/http/openapi/schema.ts'

test('a schema without a title stays inline, as plain JSON', () => {
  const schema = Type.Object({ title: Type.String(), type: Type.Optional(Type.Literal('a')) })
  const plain = schemaCollector().place(schema)
  assert.deepEqual(plain, {
    type: 'object',
    required: ['title'],
    properties: { title: { type: 'string' }, type: { type: 'string', const: 'a' } },
  })
  assert.deepEqual(JSON.parse(JSON.stringify(plain)), plain)
})

test('a schema with a title is defined once and referenced, also inside others', () => {
  const schemas = schemaCollector()
  const inner = Type.Object({ name: Type.String() }, { title: 'Inner' })
  const list = Type.Array(Type.Object({ one: inner, other: inner }, { title: 'Outer' }))
  assert.deepEqual(schemas.place(list), { type: 'array', items: { $ref: '#/components/schemas/Outer' } })
  assert.deepEqual(schemas.place(inner), { $ref: '#/components/schemas/Inner' })
  assert.deepEqual(schemas.named(), {
    Inner: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    Outer: {
      type: 'object',
      required: ['one', 'other'],
      properties: {
        one: { $ref: '#/components/schemas/Inner' },
        other: { $ref: '#/components/schemas/Inner' },
      },
    },
  })
})

test('two different schemas cannot share a title', () => {
  const schemas = schemaCollector()
  schemas.place(Type.String({ title: 'Name' }))
  schemas.place(Type.String({ title: 'Name' }))
  assert.throws(
    () => schemas.place(Type.Integer({ title: 'Name' })),
    /two different schemas have the title Name/,
  )
})

test('a record of anything becomes additionalProperties', () => {
  assert.deepEqual(schemaCollector().place(Type.Record(Type.String(), Type.Integer())), {
    type: 'object',
    additionalProperties: { type: 'integer' },
  })
})

test('a schema with shownAs is documented by that schema', () => {
  const schemas = schemaCollector()
  const shownAs = Type.Object({ id: Type.String() }, { title: 'Item' })
  assert.deepEqual(schemas.place(Type.Array(Type.Unsafe<unknown>({ shownAs }))), {
    type: 'array',
    items: { $ref: '#/components/schemas/Item' },
  })
})

test('a schema with shownWith is documented with its extra keywords', () => {
  const list = Type.Array(Type.String(), {
    title: 'List',
    maxItems: 9,
    shownWith: { minItems: 1, maxItems: 5 },
  })
  const schemas = schemaCollector()
  schemas.place(list)
  const expected = { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 5 }
  assert.deepEqual(schemas.named(), { List: expected })
})

test('values are not converted as schemas', () => {
  const plain = schemaCollector().place(
    Type.Unsafe<object>({ type: 'object', examples: [{ title: 'Text' }] }),
  )
  assert.deepEqual(plain, { type: 'object', examples: [{ title: 'Text' }] })
})

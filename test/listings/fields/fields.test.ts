/** The table of fields matches the specification, and every field is displayed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { features, isApplicable } from '../../../src/listings/fields/features.ts'
import type { Field } from '../../../src/listings/fields/field.ts'
import { featuresOf, fieldNames, leaves, neededNames } from '../../../src/listings/fields/field-lists.ts'
import { types } from '../../../src/listings/fields/vocabulary.ts'
import * as specified from '../../support/app/fields.ts'

test('the table of fields has the fields and features of docs/api.md, in order', () => {
  assert.deepEqual(fieldNames, specified.fieldNames)
  assert.deepEqual(Object.keys(features), specified.featureNames)
})

test('the table of fields limits the features of a lot; other types have all', () => {
  for (const type of [...types, null])
    assert.deepEqual(
      Object.keys(features).filter((name) => isApplicable(name as keyof typeof features, type)),
      type === 'Lote' ? specified.lotFeatures : specified.featureNames,
    )
})

test('the table of fields lists the fields that publishing requires, in the order of `missing`', () => {
  assert.deepEqual(neededNames, ['title', 'type', 'operation', 'address'])
})

test('the table of fields shows each feature in the form, and on public pages as a tile or a row', () => {
  const inForm = featuresOf('count', 'area', 'choice', 'flag').map(({ name }) => name)
  assert.deepEqual(inForm.toSorted(), specified.featureNames.toSorted())
  for (const [name, { tile, row }] of Object.entries<Field>(features))
    assert.ok((tile === undefined) !== (row === undefined), name)
})

test('the table of fields has a word for each option, and only one alias per field', () => {
  for (const { path, field } of leaves)
    if (field.words !== undefined) assert.deepEqual(Object.keys(field.words), field.values, path)
  const aliases = leaves.flatMap(({ field }) => field.aliases.split(' '))
  assert.deepEqual(
    aliases.filter((alias, index) => aliases.indexOf(alias) !== index),
    [],
  )
})

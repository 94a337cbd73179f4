/** Office hours: validation, and how days with equal hours are grouped. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkHours, type Hours, openDays, type Span } from '../../src/agencies/hours.ts'

const closed: readonly Span[] = []
const week = (...days: (readonly Span[])[]): Hours =>
  Array.from({ length: 7 }, (_, day) => days[day] ?? closed)
const morning: Span = ['09:00', '13:00']
const afternoon: Span = ['16:30', '20:00']

test('office hours are stored in order, and a week without spans is unset', () => {
  assert.deepEqual(checkHours(week([afternoon, morning])), week([morning, afternoon]))
  assert.equal(checkHours(week()), null)
  assert.equal(checkHours(null), null)
})

test('invalid times, and spans that overlap, touch or run backwards, are refused by day', () => {
  for (const spans of [
    [['9:00', '13:00']],
    [['09:00', '24:00']],
    [['09:00', '']],
    [['', '13:00']],
    [['13:00', '09:00']],
    [['09:00', '09:00']],
    [morning, ['13:00', '14:00']],
    [morning, ['12:00', '14:00']],
    [
      ['08:00', '09:00'],
      ['10:00', '11:00'],
      ['12:00', '13:00'],
    ],
  ] as unknown as Span[][])
    assert.throws(() => checkHours(week([morning], spans)), { parameter: 'hours.1' }, JSON.stringify(spans))
  assert.throws(() => checkHours([[morning]]), { parameter: 'hours' })
})

test('consecutive days with equal hours are grouped into one line', () => {
  const both = [morning, afternoon]
  assert.deepEqual(openDays([both, both, both, closed, both, [morning], closed]), [
    { first: 0, last: 2, spans: both },
    { first: 4, last: 4, spans: both },
    { first: 5, last: 5, spans: [morning] },
  ])
  assert.deepEqual(openDays(week()), [])
})

/** ISO 8601 timestamps as the API accepts them (api.md 4.4). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseDateTime } from '../../../src/platform/time/date-time.ts'

describe('parseDateTime', () => {
  const moments: Record<string, string> = {
    '2026-11-20T09:30:00.123Z': '2026-11-20T09:30:00.123Z',
    '2026-11-20T09:30:00Z': '2026-11-20T09:30:00.000Z',
    '2026-11-20t09:30:00z': '2026-11-20T09:30:00.000Z',
    '2026-11-20T09:30Z': '2026-11-20T09:30:00.000Z',
    // Without a zone, and without a time.
    '2026-11-20T09:30:00': '2026-11-20T09:30:00.000Z',
    '2026-11-20T09:30': '2026-11-20T09:30:00.000Z',
    '2026-11-20': '2026-11-20T00:00:00.000Z',
    // Zones.
    '2026-11-20T09:30:00-03:00': '2026-11-20T12:30:00.000Z',
    '2026-11-20T09:30:00-0300': '2026-11-20T12:30:00.000Z',
    '2026-11-20T09:30:00-03': '2026-11-20T12:30:00.000Z',
    '2026-11-20T00:15:00+05:45': '2026-11-19T18:30:00.000Z',
    '2026-12-31T23:30:00-14:00': '2027-01-01T13:30:00.000Z',
    '2026-11-20T09:30:00+00:00': '2026-11-20T09:30:00.000Z',
    '2026-11-20T09:30:00-00:00': '2026-11-20T09:30:00.000Z',
    // Fractions of a second, truncated to milliseconds.
    '2026-11-20T09:30:00.5Z': '2026-11-20T09:30:00.500Z',
    '2026-11-20T09:30:00,25Z': '2026-11-20T09:30:00.250Z',
    '2026-11-20T09:30:00.123999999Z': '2026-11-20T09:30:00.123Z',
    // Leap years and the ends of the calendar.
    '2024-02-29': '2024-02-29T00:00:00.000Z',
    '2000-02-29': '2000-02-29T00:00:00.000Z',
    '0001-01-01': '0001-01-01T00:00:00.000Z',
    '0099-12-31': '0099-12-31T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z': '9999-12-31T23:59:59.999Z',
  }
  for (const [text, moment] of Object.entries(moments)) {
    test(`reads ${text}`, () => assert.equal(parseDateTime(text), moment))
  }

  test('refuses everything else', () => {
    const none = [
      '',
      ' ',
      'now',
      'yesterday',
      '2026',
      '2026-11',
      '20261120',
      '2026-W47',
      '2026-324',
      '20/11/2026',
      '11/20/2026',
      '2026-11-20 09:30:00',
      '2026-11-20T',
      '2026-11-20T09',
      '2026-11-20T9:30',
      '2026-1-2',
      '26-11-20',
      '+002026-11-20',
      '2026-11-20T09:30:00.Z',
      '2026-11-20T09:30:00.1234567890Z',
      '2026-11-20Z',
      '2026-11-20T09:30:00 Z',
      '2026-11-20T09:30:00Z ',
      '2026-11-20T09:30:00+3',
      '2026-11-20T09:30:00 03:00',
      '2026-11-20T09:30:00+03:0',
      '2026-11-20T09:30:00Z+03:00',
      '2026-11-20T09:30:00ART',
      '2026-00-10',
      '2026-13-10',
      '2026-11-00',
      '2026-11-31',
      '2026-02-29',
      '2026-02-30',
      '1900-02-29',
      '0000-01-01',
      '2026-11-20T24:00',
      '2026-11-20T23:60',
      '2026-11-20T23:59:60',
      '2026-11-20T09:30:00+15:00',
      '2026-11-20T09:30:00+03:60',
      '2026-11-20T09:30:00-14:01',
      '0001-01-01T00:00+01:00',
      '9999-12-31T23:59-01:00',
      '-2026-11-20',
      '٢٠٢٦-11-20',
      '1763631000',
      '1763631000000',
      '2026-11-20T09:30:00Z\n',
    ]
    for (const text of none) assert.equal(parseDateTime(text), null, text)
  })

  test('reads back every timestamp, in every zone', () => {
    const moment = fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true })
    fc.assert(
      fc.property(moment, fc.integer({ min: -14 * 60, max: 14 * 60 }), (date, offset) => {
        const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1)
        const two = (value: number) => String(value).padStart(2, '0')
        const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`
        assert.equal(parseDateTime(local + zone), date.toISOString())
        assert.equal(parseDateTime(date.toISOString().slice(0, -1)), date.toISOString())
      }),
      { numRuns: 1000 },
    )
  })

  test('never throws', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{0,4}-?\d{0,2}-?\d{0,2}T?[\d:.,Z+-]{0,20}$/), (text) => {
        const moment = parseDateTime(text)
        assert.ok(moment === null || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(moment))
      }),
    )
  })
})

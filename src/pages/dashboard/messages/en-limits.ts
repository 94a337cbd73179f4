/**
 * English: the limits of an agency, mostly in the operator's console.
 */
import { maxOfLimit, mostActiveKeys } from '../../../limits/table.ts'
import { formats } from '../../../platform/web/format.ts'
import type { limits as spanish } from './es-limits.ts'

export const limits: typeof spanish = {
  page: {
    title: 'Limits',
    text: 'In force from the next request. Reads and writes are those of each key; the others are shared by the whole agency. “Used” is for the current minute, hour or day; for reads and writes, by the key that used most.',
    limit: 'Limit',
    used: 'Used',
    inForce: 'In force',
    usual: 'Default',
    until: 'Until',
    noEnd: 'No end date',
    all: 'all',
    change: 'Change',
    changeHint: 'Fill in only those you want to change. 0 allows none.',
    untilLabel: 'Until (optional)',
    untilHint:
      'At 00:00 UTC on that day: 21:00 the evening before in Argentina. Then the defaults are back. Without a date, it stays until you change it.',
    save: 'Save the limits',
    clear: 'Back to the default',
    clearAll: 'All back to the defaults',
  },
  audit: {
    details: {
      until: 'until',
      cleared: 'back to the default',
    },
    actions: {
      agency_limits_changed: 'Changed the limits of the agency',
    },
  },
  flash: {
    limitsChanged: 'Limits changed.',
  },
  reasons: {
    limit_odd: `Enter a whole number from 0 to ${formats.en.number(maxOfLimit)}.`,
    limits_none: 'Fill in at least one limit.',
    keys_many: `At most ${mostActiveKeys.new} keys can be active at a time. Revoke one that is no longer used, then try again.`,
    keys_replaced_many:
      'Too many replaced keys are still active. Revoke keys that you have replaced, then try again.',
  },
}

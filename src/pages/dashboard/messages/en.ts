/**
 * The catalogue of texts in English.
 */
import { account } from './en-account.ts'
import { agency } from './en-agency.ts'
import { audit } from './en-audit.ts'
import { console } from './en-console.ts'
import { form, map } from './en-form.ts'
import { frame } from './en-frame.ts'
import { listings } from './en-listings.ts'
import { operator } from './en-operator.ts'
import { outcomes } from './en-outcomes.ts'
import { photos } from './en-photos.ts'
import { requests } from './en-requests.ts'
import { settings } from './en-settings.ts'
import { test } from './en-test.ts'
import { visits } from './en-visits.ts'
import { work } from './en-work.ts'
import type { Messages } from './es.ts'

export const en: Messages = {
  ...frame,
  ...account,
  ...agency,
  listings,
  listingForm: form,
  map,
  ...operator,
  console,
  ...settings,
  requests,
  visits,
  ...photos,
  test,
  work,
  audit,
  ...outcomes,
}

/**
 * El catálogo de textos en español de la Argentina; su forma es la de todos los idiomas.
 */
import { account } from './es-account.ts'
import { agency } from './es-agency.ts'
import { audit } from './es-audit.ts'
import { console } from './es-console.ts'
import { form, map } from './es-form.ts'
import { frame } from './es-frame.ts'
import { listings } from './es-listings.ts'
import { operator } from './es-operator.ts'
import { outcomes } from './es-outcomes.ts'
import { photos } from './es-photos.ts'
import { requests } from './es-requests.ts'
import { settings } from './es-settings.ts'
import { test } from './es-test.ts'
import { visits } from './es-visits.ts'
import { work } from './es-work.ts'

export const es = {
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

export type Messages = typeof es

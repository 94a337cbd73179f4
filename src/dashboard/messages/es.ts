/**
 * El catálogo de textos en español de la Argentina; su forma es la de todos los idiomas.
 */
import { agency } from './es-agency.ts'
import { frame } from './es-frame.ts'
import { limits } from './es-limits.ts'
import { listings } from './es-listings.ts'
import { operator } from './es-operator.ts'
import { settings } from './es-settings.ts'
import { test } from './es-test.ts'

export const es = {
  ...frame,
  ...agency,
  listings,
  ...operator,
  nav: { ...frame.nav, ...settings.nav },
  account: { ...frame.account, ...settings.account },
  settings: settings.page,
  mailPreference: settings.mailPreference,
  limitChanges: limits.page,
  audit: {
    ...operator.audit,
    details: { ...operator.audit.details, ...limits.audit.details, ...settings.audit.details } as Record<
      string,
      string
    >,
    actions: { ...operator.audit.actions, ...limits.audit.actions },
  },
  test: test.page,
  flash: { ...operator.flash, ...test.flash, ...limits.flash, ...settings.flash },
  reasons: { ...operator.reasons, ...test.reasons, ...limits.reasons, ...settings.reasons },
}

export type Messages = typeof es

/**
 * El catálogo de textos en español de la Argentina; su forma es la de todos los idiomas.
 */
import { agency } from './es-agency.ts'
import { form } from './es-form.ts'
import { console } from './es-console.ts'
import { frame } from './es-frame.ts'
import { limits } from './es-limits.ts'
import { listings } from './es-listings.ts'
import { map, mapAudit, mapFlash, mapHealth, mapReasons } from './es-map.ts'
import { operator } from './es-operator.ts'
import { settings } from './es-settings.ts'
import { requests } from './es-requests.ts'
import { photos } from './es-photos.ts'
import { test } from './es-test.ts'
import { work } from './es-work.ts'
import { visits } from './es-visits.ts'

export const es = {
  ...frame,
  ...agency,
  listings,
  listingForm: form.page,
  map,
  ...operator,
  nav: { ...frame.nav, ...console.nav, ...settings.nav },
  account: { ...frame.account, ...settings.account },
  settings: settings.page,
  confirmEmail: settings.confirmEmail,
  mailPreference: settings.mailPreference,
  requests,
  console,
  visits,
  limitChanges: limits.page,
  photos: photos.page,
  photoWhy: photos.why,
  errors: { ...operator.errors, ...photos.errors },
  audit: {
    ...operator.audit,
    details: {
      ...operator.audit.details,
      ...limits.audit.details,
      ...settings.audit.details,
      ...visits.audit.details,
      ...form.audit.details,
    } as Record<string, string>,
    actions: {
      ...operator.audit.actions,
      ...limits.audit.actions,
      ...settings.audit.actions,
      ...mapAudit,
      ...form.audit.actions,
      ...photos.audit,
      ...work.audit.actions,
    },
  },
  health: {
    ...operator.health,
    ...mapHealth.texts,
    names: { ...operator.health.names, ...mapHealth.names },
  },
  test: test.page,
  work: { page: work.page, warnings: work.warnings },
  flash: {
    ...operator.flash,
    ...test.flash,
    ...limits.flash,
    ...settings.flash,
    ...mapFlash,
    ...form.flash,
    ...photos.flash,
    ...work.flash,
  },
  reasons: {
    ...operator.reasons,
    ...test.reasons,
    ...limits.reasons,
    ...settings.reasons,
    ...mapReasons,
    ...photos.reasons,
  },
}

export type Messages = typeof es

/**
 * The catalogue of texts in English.
 */
import { agency } from './en-agency.ts'
import { form } from './en-form.ts'
import { console } from './en-console.ts'
import { frame } from './en-frame.ts'
import { limits } from './en-limits.ts'
import { listings } from './en-listings.ts'
import { map, mapAudit, mapFlash, mapHealth, mapReasons } from './en-map.ts'
import { operator } from './en-operator.ts'
import { settings } from './en-settings.ts'
import { requests } from './en-requests.ts'
import { photos } from './en-photos.ts'
import { test } from './en-test.ts'
import { work } from './en-work.ts'
import { visits } from './en-visits.ts'
import type { Messages } from './es.ts'

export const en: Messages = {
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
    },
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

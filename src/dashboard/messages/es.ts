/**
 * El catálogo de textos en español de la Argentina; su forma es la de todos los idiomas.
 */
import { agency } from './es-agency.ts'
import { frame } from './es-frame.ts'
import { listings } from './es-listings.ts'
import { operator } from './es-operator.ts'
import { test } from './es-test.ts'

export const es = {
  ...frame,
  ...agency,
  listings,
  ...operator,
  test: test.page,
  flash: { ...operator.flash, ...test.flash },
  reasons: { ...operator.reasons, ...test.reasons },
}

export type Messages = typeof es

/**
 * El catálogo de textos en español de la Argentina; su forma es la de todos los idiomas.
 */
import { agency } from './es-agency.ts'
import { frame } from './es-frame.ts'
import { listings } from './es-listings.ts'
import { operator } from './es-operator.ts'

export const es = { ...frame, ...agency, listings, ...operator }

export type Messages = typeof es

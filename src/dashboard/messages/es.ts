/**
 * El catálogo de textos en español de la Argentina; su forma es la de todos los idiomas.
 */
import { agency } from './es-agency.ts'
import { frame } from './es-frame.ts'
import { operator } from './es-operator.ts'

export const es = { ...frame, ...agency, ...operator }

export type Messages = typeof es

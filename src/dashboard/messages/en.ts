/**
 * The catalogue of texts in English.
 */
import { agency } from './en-agency.ts'
import { frame } from './en-frame.ts'
import { listings } from './en-listings.ts'
import { operator } from './en-operator.ts'
import type { Messages } from './es.ts'

export const en: Messages = { ...frame, ...agency, listings, ...operator }

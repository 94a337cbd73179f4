/** Identifiers: uuids internally, and the short public code in URLs (api.md 4.5). */
import { randomInt, randomUUIDv7 } from 'node:crypto'

// Digits and capitals without 0, O, 1, I, L and U, which are misread or mistyped.
const publicIdAlphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const publicIdPattern = /^[2-9A-HJKMNP-TV-Z]{8}$/i
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Before every other uuid, and nobody's id. */
export const nilUuid = '00000000-0000-0000-0000-000000000000'

/** A new uuid, version 7: sorts by creation time, in milliseconds. */
export function uuidv7(): string {
  return randomUUIDv7()
}

/** When a version 7 uuid was made, in milliseconds. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.replace('-', '').slice(0, 12), 16)
}

/** A new public code: 8 random characters without look-alikes. The database rejects one that is taken. */
export function newPublicId(): string {
  let id = ''
  for (let i = 0; i < 8; i++) id += publicIdAlphabet[randomInt(publicIdAlphabet.length)]
  return id
}

/** A code for the listing of a dry run: it has a look-alike, so no stored listing ever has it. */
export function placeholderPublicId(): string {
  return `I${newPublicId().slice(1)}`
}

/** Whether only a dry run has the listing with that code. */
export function isPlaceholder(publicId: string): boolean {
  return publicId.startsWith('I')
}

/** Whether the text is a uuid of any version, in either case. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text)
}

/** The public code in upper case, as it is stored, or null if the text is not one. */
export function asPublicId(text: string): string | null {
  return publicIdPattern.test(text) ? text.toUpperCase() : null
}

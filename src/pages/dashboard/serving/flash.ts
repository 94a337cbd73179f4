/** A message for the next page, kept in a cookie: the name of a text and its parameters, never markup. */
import type { Messages } from '../messages/catalogue.ts'

export type FlashName = keyof Messages['flash']

export type Flash = Readonly<{ kind: 'good' | 'bad'; name: FlashName; filling: readonly string[] }>

export function succeeded(name: FlashName, ...filling: readonly string[]): Flash {
  return { kind: 'good', name, filling }
}

export function failed(name: FlashName, ...filling: readonly string[]): Flash {
  return { kind: 'bad', name, filling }
}

export function encodeFlash({ kind, name, filling }: Flash): string {
  const parts = [kind, name, ...filling.map((text) => text.slice(0, 300))]
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/** Null for a cookie that is not ours. */
export function decodeFlash(cookie: string | undefined, t: Messages): Flash | null {
  if (cookie === undefined || cookie.length > 4_000) return null
  try {
    const parts: unknown = JSON.parse(Buffer.from(cookie, 'base64url').toString('utf8'))
    if (!Array.isArray(parts) || !parts.every((part) => typeof part === 'string')) return null
    const [kind, name = '', ...filling] = parts as string[]
    if ((kind !== 'good' && kind !== 'bad') || !Object.hasOwn(t.flash, name)) return null
    return { kind, name: name as FlashName, filling }
  } catch {
    return null
  }
}

export function flashText({ name, filling }: Flash, t: Messages): string {
  const text: string | ((...filling: string[]) => string) = t.flash[name]
  return typeof text === 'string' ? text : text(...filling)
}

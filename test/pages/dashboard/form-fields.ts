/** Reads the fields of forms from the markup, and sends them as a browser would. */
import assert from 'node:assert/strict'
import type { Visitor } from './visitor.ts'

const attribute = (tag: string, name: string): string | null => {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)
  return found === null ? null : plain(found[1] ?? '')
}
const plain = (text: string): string =>
  text.replaceAll(/&#(\d+);/g, (_match, code: string) => String.fromCharCode(Number(code)))

/** @param action the end of the form's path */
export function fieldsOf(page: string, action: string): Record<string, string | string[]> {
  const form = [...page.matchAll(/<form[^>]*action="([^"]+)"[^>]*>([^]*?)<\/form>/g)].find(([, path = '']) =>
    plain(path).endsWith(action),
  )
  if (form === undefined) throw new Error(`the page has no form for ${action}`)
  const fields: Record<string, string | string[]> = {}
  const add = (name: string | null, value: string): void => {
    if (name !== null && name !== '')
      fields[name] = name in fields ? [fields[name] ?? [], value].flat() : value
  }
  for (const [head, name, after] of (form[2] ?? '').matchAll(/<(input|textarea|select)\b[^>]*>(?=([^]*))/g)) {
    const [contents = ''] = (after ?? '').split(`</${name}>`, 1)
    if (name === 'textarea') add(attribute(head, 'name'), plain(contents.replace(/^\n/, '')))
    else if (name === 'select') {
      const options = [...contents.matchAll(/<option[^>]*>/g)].map(([option]) => option)
      const chosen = options.find((option) => /\sselected\b/.test(option)) ?? options[0] ?? ''
      add(attribute(head, 'name'), attribute(chosen, 'value') ?? '')
    } else {
      const type = attribute(head, 'type')
      const isBox = type === 'radio' || type === 'checkbox'
      if (!isBox || /\schecked\b/.test(head)) add(attribute(head, 'name'), attribute(head, 'value') ?? '')
    }
  }
  return fields
}

export type Fields = Record<string, string | string[] | null>
/** The response to an autosave. */
export type Saved = {
  version: number | null
  action: string | null
  savesItself: boolean
  isWhole: boolean
  problems: Record<string, string>
  reworded: Record<string, string>
  taken: Record<string, string>
  parts: string[]
}

/** The fields of the form on its page. */
export async function openForm(who: Visitor, path: string): Promise<Fields> {
  const page = await who.get(path)
  assert.equal(page.status, 200, page.words)
  return fieldsOf(page.text, path)
}

/** An autosave as the script sends it. */
export async function saveTyped(who: Visitor, path: string, fields: Fields): Promise<Saved> {
  const response = await who.post(path, fields, { accept: 'application/json' })
  assert.equal(response.status, 200, response.text)
  return JSON.parse(response.text) as Saved
}

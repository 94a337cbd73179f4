/** The fields that a browser would send of a page's form, read from its markup. */

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

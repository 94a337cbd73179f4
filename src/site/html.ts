/**
 * The template tag of the public pages: ghtml's, which escapes every value unless `!` stands before it. The sources are indented,
 * the pages are not.
 */
import { html as escaping } from 'ghtml'

const compacted = new WeakMap<TemplateStringsArray, TemplateStringsArray>()

/** HTML with the values escaped; `!${…}` takes HTML as it is. Only what this file's callers wrote loses its indentation. */
export function html(literals: TemplateStringsArray, ...values: unknown[]): string {
  let compact = compacted.get(literals)
  if (compact === undefined) {
    const raw = literals.raw.map((text) => text.replaceAll(/\s*\n\s*/g, '\n'))
    compact = Object.assign([...literals], { raw })
    compacted.set(literals, compact)
  }
  return escaping(compact, ...values)
}

/** Reads the public collections in this folder; README.md names their sources. */
import { readFileSync } from 'node:fs'

const read = (name: string) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8')) as unknown

/** Files of the JSON parsing test suite, by name: `y_` must be taken, `n_` refused, `i_` may be either. */
export function jsonTestSuite(): Map<string, Buffer> {
  const files = Object.entries(read('json-test-suite.json') as Record<string, string>)
  const cases = new Map(files.map(([name, text]) => [name, Buffer.from(text, 'base64')]))
  // The two large files are generated, with the same contents as in the suite.
  cases.set('test_parsing/n_structure_100000_opening_arrays.json', Buffer.from('['.repeat(100_000)))
  cases.set('test_parsing/n_structure_open_array_object.json', Buffer.from(`${'[{"":'.repeat(50_000)}\n`))
  return cases
}

/** Texts that are known to cause trouble. */
export function naughtyStrings(): string[] {
  return (read('naughty-strings.json') as string[]).map((text) => Buffer.from(text, 'base64').toString())
}

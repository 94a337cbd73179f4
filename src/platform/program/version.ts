/** The version of the service, from package.json. */
import { readFileSync } from 'node:fs'

export const version: string = (
  JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }
).version

/** Whether `one` is older than `other`, both like `1.2.3`. */
export function isOlder(one: string, other: string): boolean {
  return one.localeCompare(other, 'en', { numeric: true }) < 0
}

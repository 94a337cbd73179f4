/** Finds test files by the paths of a command line. */
import { globSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The file itself, or the test files in the folder. @throws Error if there are none */
export function filesOf(path: string): string[] {
  const full = resolve(path)
  if (statSync(full, { throwIfNoEntry: false })?.isFile() === true) return [full]
  const names = globSync('**/*.test.ts', { cwd: full })
  if (names.length === 0) throw new Error(`No test file matches ${path}.`)
  return names.map((name) => join(full, name)).sort()
}

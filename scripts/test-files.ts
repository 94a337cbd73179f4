/** Finds test files by the paths of a command line. */
import { globSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The file itself, or the test files in the folder. */
export function filesOf(path: string): string[] {
  const full = resolve(path)
  if (statSync(full).isFile()) return [full]
  return globSync('**/*.test.ts', { cwd: full })
    .map((name) => join(full, name))
    .sort()
}

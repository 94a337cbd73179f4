/** The sources of the previous release, from the history of this checkout. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** 1.0.0. */
const commit = '982f7211'
const root = join(import.meta.dirname, '..', '..')

/** Why the previous release is not available here, or false. */
export const withoutPreviousRelease: string | false = isThere()
  ? false
  : 'the history of this checkout does not reach back to 1.0.0'

function isThere(): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Unpacks it into a temporary directory, which the caller deletes. It runs with the packages of this version. */
export function unpackPreviousRelease(): string {
  const directory = mkdtempSync(join(tmpdir(), 'listings-previous-'))
  const archive = execFileSync('git', ['archive', commit, 'src', 'migrations', 'package.json'], {
    cwd: root,
    maxBuffer: 256 * 1024 * 1024,
  })
  execFileSync('tar', ['-x', '-C', directory], { input: archive })
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'))
  return directory
}

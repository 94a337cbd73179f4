/** Checks which files another user can reach: PostgreSQL refuses to run as root and runs as an unprivileged user. */
import { statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Whether a user may pass every directory above `path` and, with `execute`, run the file itself. Reads permission bits, because trying
 * would need a process of that user. Ignores access lists: the result may be false although a list allows the user.
 * @param path absolute, without symbolic links
 */
export function canReach(
  path: string,
  user: { uid: number; gid: number },
  what: 'pass' | 'execute' = 'pass',
): boolean {
  if (what === 'execute' && !allows(path, user, 0o5)) return false
  for (let directory = dirname(path); ; directory = dirname(directory)) {
    if (!allows(directory, user, 0o1)) return false
    if (directory === dirname(directory)) return true
  }
}

function allows(path: string, user: { uid: number; gid: number }, bits: number): boolean {
  const { uid, gid, mode } = statSync(path)
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0
  return ((mode >> shift) & bits) === bits
}

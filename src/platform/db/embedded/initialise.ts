/** Creates the embedded database's data directory. */
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Binaries } from './embedded-binaries.ts'
import type { EmbeddedPaths } from './embedded-place.ts'
import { launch } from './launch.ts'
import { superuser } from './postmaster.ts'

/**
 * Creates PostgreSQL's data directory if there is none; renames it into place when it is complete. The caller holds `gate.lock`
 * (embedded.ts).
 * @throws DatabaseStartError
 */
export async function initialise(
  place: EmbeddedPaths,
  binaries: Binaries,
  isDurable: boolean,
): Promise<void> {
  removeUnfinished(place)
  if (existsSync(place.data)) return
  // A unique name, because an initdb whose parent was killed may still be running.
  const unfinished = join(place.home, `data.new-${randomBytes(6).toString('hex')}`)

  // Collation C compares bytes and is the same everywhere. Trigrams need a character type that knows which characters are letters.
  for (const characterType of ['C.UTF-8', 'en_US.UTF-8', 'C']) {
    const initdb = launch(
      place,
      binaries,
      'initdb',
      [
        `--pgdata=${unfinished}`,
        `--username=${superuser}`,
        // The socket directory's permissions are the access control.
        '--auth=trust',
        '--encoding=UTF8',
        '--locale=C',
        `--lc-ctype=${characterType}`,
        '--no-instructions',
        ...(isDurable ? [] : ['--no-sync']),
      ],
      { detached: false },
    )
    if ((await initdb.ended) === 0) break
    if (characterType === 'C' || !initdb.output().includes('invalid locale name')) {
      throw initdb.failure('The embedded database could not be created')
    }
  }
  renameSync(unfinished, place.data)
  if (isDurable) syncDirectory(place.home)
}

/** Deletes leftovers of an initdb whose parent was killed. The caller holds `gate.lock`. */
export function removeUnfinished({ home }: EmbeddedPaths): void {
  for (const leftover of readdirSync(home).filter((name) => name.startsWith('data.new-'))) {
    // That initdb may still be running; without its directory it soon fails.
    rmSync(join(home, leftover), { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }
}

/** Makes the rename durable: a machine crash could otherwise undo it and lose the database. */
function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

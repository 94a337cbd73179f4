/** The making of the embedded database's data directory. */
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Binaries } from './embedded-binaries.ts'
import type { EmbeddedPaths } from './embedded-place.ts'
import { launch } from './launch.ts'
import { superuser } from './postmaster.ts'

/**
 * Creates PostgreSQL's data directory, if there is none. Behind the gate (see embedded.ts). It appears under its name
 * complete or not at all.
 * @throws DatabaseStartError
 */
export async function initialise(
  place: EmbeddedPaths,
  binaries: Binaries,
  isDurable: boolean,
): Promise<void> {
  removeUnfinished(place)
  if (existsSync(place.data)) return
  // A name of its own, because an initdb whose starter was killed may still be running.
  const unfinished = join(place.home, `data.new-${randomBytes(6).toString('hex')}`)

  // The C locale compares bytes, alike everywhere; the character type knows which characters are letters, for trigrams.
  for (const characters of ['C.UTF-8', 'en_US.UTF-8', 'C']) {
    const initdb = launch(
      place,
      binaries,
      'initdb',
      [
        `--pgdata=${unfinished}`,
        `--username=${superuser}`,
        // Who may open the socket's directory may do everything.
        '--auth=trust',
        '--encoding=UTF8',
        '--locale=C',
        `--lc-ctype=${characters}`,
        '--no-instructions',
        ...(isDurable ? [] : ['--no-sync']),
      ],
      { detached: false },
    )
    if ((await initdb.ended) === 0) break
    if (characters === 'C' || !initdb.output().includes('invalid locale name')) {
      throw initdb.failure('The embedded database could not be created')
    }
  }
  renameSync(unfinished, place.data)
  if (isDurable) syncDirectory(place.home)
}

/** What an initdb has left whose starter was killed. Behind the gate. */
export function removeUnfinished({ home }: EmbeddedPaths): void {
  for (const leftover of readdirSync(home).filter((name) => name.startsWith('data.new-'))) {
    // It may still be at work; without its directory it fails before long.
    rmSync(join(home, leftover), { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }
}

/** So that a crash of the machine cannot undo the renaming, and with it the whole database. */
function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

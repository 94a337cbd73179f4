/**
 * The data directory: made, and found fit to be written to, before anything is put there.
 */
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { ConfigError } from './values.ts'

/** Whether anything is kept there: not with a database, a secret and a store of photos elsewhere. */
export function needsDataDir(config: {
  databaseUrl: string | null
  secretKey: string | null
  s3: object | null
}): boolean {
  return config.databaseUrl === null || config.secretKey === null || config.s3 === null
}

/** Makes the directory where there is none. @throws ConfigError naming DATA_DIR */
export function openDataDir(dataDir: string): void {
  try {
    // One by one from the first that is there: below /proc, Node would try for ever to make all of them at once.
    for (const directory of missing(dataDir)) makeDirectory(directory)
    if (!statSync(dataDir).isDirectory()) throw new Error('it is no directory')
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { message } = error as Error
    throw new ConfigError(`DATA_DIR is "${dataDir}": use a directory that can be written to (${message}).`)
  }
}

/** What is to be made, from the top to the bottom. */
function missing(directory: string): string[] {
  if (existsSync(directory) || dirname(directory) === directory) return []
  return [...missing(dirname(directory)), directory]
}

function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory)
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

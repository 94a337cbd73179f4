/** The data directory: created, and checked to be writable, before anything is stored. */
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { hasCode } from '../errors/errors.ts'
import { ConfigError } from './settings-reader.ts'

/** False if database, secret key and photos are all kept elsewhere. */
export function needsDataDir(config: {
  databaseUrl: string | null
  secretKey: string | null
  s3: object | null
}): boolean {
  return config.databaseUrl === null || config.secretKey === null || config.s3 === null
}

/** Creates the directory if it is missing. @throws ConfigError naming DATA_DIR */
export function openDataDir(dataDir: string): void {
  try {
    // One at a time: below /proc, Node's recursive mkdir never returns.
    for (const directory of missing(dataDir)) makeDirectory(directory)
    if (!statSync(dataDir).isDirectory()) throw new Error('it is not a directory')
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { message } = error as Error
    throw new ConfigError(`DATA_DIR is "${dataDir}": use a writable directory (${message}).`)
  }
}

/** The missing directories, topmost first. */
function missing(directory: string): string[] {
  if (existsSync(directory) || dirname(directory) === directory) return []
  return [...missing(dirname(directory)), directory]
}

function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory)
  } catch (error) {
    // EEXIST: another process created it first.
    if (!hasCode(error, 'EEXIST')) throw error
  }
}

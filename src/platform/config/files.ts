/** Secrets in files, as container platforms provide them: `NAME_FILE` is the path of a file with the value of `NAME`. */
import { readFileSync } from 'node:fs'
import { ConfigError } from './values.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The settings that are or may contain a secret. */
export const settingsFromFiles = [
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'SECRET_KEY',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'SMTP_URL',
  'MARKETPLACE_SECRET',
  'MAP_TILES_URL',
] as const

/** The environment with the values from files. @throws ConfigError if a setting is given both ways, or its file is unreadable or empty */
export function withFiles(env: Environment): Environment {
  const read: Record<string, string> = {}
  for (const name of settingsFromFiles) {
    const path = env[`${name}_FILE`]?.trim() ?? ''
    if (path === '') continue
    if ((env[name]?.trim() ?? '') !== '')
      throw new ConfigError(`${name} and ${name}_FILE are both set: set only one.`)
    read[name] = contentOf(`${name}_FILE`, path)
  }
  return Object.keys(read).length === 0 ? env : { ...env, ...read }
}

/** An empty file is refused: it would look like a setting left out. */
function contentOf(name: string, path: string): string {
  let content: string
  try {
    content = readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConfigError(`${name} names a file that cannot be read: ${(error as Error).message}.`)
  }
  if (content.trim() === '') throw new ConfigError(`${name} names an empty file: ${path}.`)
  return content
}

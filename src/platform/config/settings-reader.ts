/** Reads single settings, from the environment or from files that it names, and rejects wrong ones. */
import { readFileSync } from 'node:fs'

/** A wrong setting. The message is one line for the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'

  constructor(message: string) {
    // A repeated value may have line breaks.
    super(message.replaceAll(/\s+/g, ' '))
  }
}

export type Environment = Readonly<Record<string, string | undefined>>
export type Reader = ReturnType<typeof settingsReader>

/** Functions that read a setting by its name. All but `text` throw ConfigError. */
export function settingsReader(given: Environment) {
  const env = withFiles(given)
  /** The value, trimmed, or null. */
  const text = (name: string): string | null => {
    const value = env[name]?.trim()
    return value === undefined || value === '' ? null : value
  }
  return {
    text,
    oneOf<T extends string>(name: string, allowed: readonly T[], fallback: T): T {
      const value = text(name) ?? fallback
      const found = allowed.find((one) => one === value)
      if (found !== undefined) return found
      throw new ConfigError(`${name} is "${value}": use one of ${allowed.join(', ')}.`)
    },
    integer(name: string, fallback: number, min: number, max: number, orWord = ''): number {
      const value = text(name)
      if (value === null) return fallback
      if (/^\d+$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value)
      throw new ConfigError(`${name} is "${value}": use a whole number from ${min} to ${max}${orWord}.`)
    },
    /** A URL of one of the protocols, or null. */
    url(name: string, protocols: readonly string[]): string | null {
      const value = text(name)
      if (value === null) return null
      if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value
      // The value may contain a password, so it is not repeated.
      const starts = protocols.map((protocol) => `${protocol}//`).join(' or ')
      throw new ConfigError(`${name} must be a URL that starts with ${starts}.`)
    },
  }
}

/** The settings that are or may contain a secret. Container platforms provide them as files: `NAME_FILE` is the path of `NAME`. */
export const settingsFromFiles = [
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'SMTP_URL',
  'MARKETPLACE_SECRET',
  'MAP_TILES_URL',
] as const

/** The environment with the values from files. @throws ConfigError if a setting is given both ways, or its file is unreadable or empty */
function withFiles(env: Environment): Environment {
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

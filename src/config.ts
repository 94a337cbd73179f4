/**
 * The settings: the only reader of the environment. A wrong value stops the start with one line that names it.
 */
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { type Limits, limitsWith } from './limits/table.ts'
import { marketplaceProblem } from './marketplace-settings.ts'

/** A setting that cannot be used. Its message is the one line the operator sees. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'

  constructor(message: string) {
    // A value that is repeated may have several lines.
    super(message.replaceAll(/\s+/g, ' '))
  }
}

export type S3Config = Readonly<{
  endpoint: string | null
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Path-style addresses, which most S3-compatible stores want. */
  forcePathStyle: boolean
}>

export type Config = Readonly<{
  production: boolean
  host: string
  port: number
  /** Without a trailing slash; every address the service shows begins with it. */
  publicBaseUrl: string
  serviceName: string
  /** Null: the embedded database. */
  databaseUrl: string | null
  databasePoolSize: number
  /** False behind a pooler that cannot keep named prepared statements. */
  preparedStatements: boolean
  dataDir: string
  /** Null: made and kept in dataDir. */
  secretKey: string | null
  /** Fill an empty database with demonstration data, serve and accept the sample pictures. */
  demo: boolean
  /** `host:port` of photo sources that may be private and plain http. Empty in production. */
  photoSourceAllow: readonly string[]
  /** Null: photos are files under dataDir. */
  s3: S3Config | null
  /** Of requests, new listings, photos and the rest, with the operator's changes. */
  limits: Limits
  /** Parts of User-Agents that always pass the crawler gate, and that never do. */
  crawlersAllow: readonly string[]
  crawlersDeny: readonly string[]
  geocoder: GeocoderName
  /** Base address of the geocoder's service; null for its public one. */
  geocoderUrl: string | null
  /** Null: mail is not configured. It may hold a password. */
  smtpUrl: string | null
  /** Whom mails are from; there when smtpUrl is. */
  mailFrom: string | null
  /** Null: no marketplace is told of changes of state. */
  marketplaceUrl: string | null
  /** What its events are signed with; there when marketplaceUrl is. */
  marketplaceSecret: string | null
  /** Whether the server's process also does the worker's part. */
  worker: 'inline' | 'off'
  trustProxy: boolean | number | readonly string[]
  /** Whom to tell of a vulnerability: a `mailto:` or `https:` address; null for the page of the terms. */
  securityContact: string | null
  logLevel: string
}>

const geocoderNames = ['georef', 'nominatim', 'none'] as const
export type GeocoderName = (typeof geocoderNames)[number]
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** The settings of this process, some replaced. @throws ConfigError */
export function configFromEnvironment(replaced: Readonly<Record<string, string>> = {}): Config {
  return readConfig({ ...process.env, ...replaced })
}

/** Reads and checks every setting. @throws ConfigError naming the first wrong one. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const text = (name: string): string | null => {
    const value = env[name]?.trim()
    return value === undefined || value === '' ? null : value
  }
  const oneOf = <T extends string>(name: string, allowed: readonly T[], fallback: T): T => {
    const value = text(name) ?? fallback
    if (!(allowed as readonly string[]).includes(value)) {
      throw new ConfigError(`${name} is "${value}": use one of ${allowed.join(', ')}.`)
    }
    return value as T
  }
  const integer = (name: string, fallback: number, min: number, max: number): number => {
    const value = text(name)
    if (value === null) return fallback
    if (!/^\d+$/.test(value) || Number(value) < min || Number(value) > max) {
      throw new ConfigError(`${name} is "${value}": use a whole number from ${min} to ${max}.`)
    }
    return Number(value)
  }
  const url = (name: string, protocols: readonly string[]): string | null => {
    const value = text(name)
    if (value === null) return null
    const parsed = URL.canParse(value) ? new URL(value) : null
    if (parsed === null || !protocols.includes(parsed.protocol)) {
      // The value may hold a password, so it is not repeated.
      throw new ConfigError(
        `${name} is not an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}.`,
      )
    }
    return value
  }

  const environment = oneOf('NODE_ENV', ['development', 'test', 'production'], 'development')
  const production = environment === 'production'
  const host = text('HOST') ?? '127.0.0.1'
  if (!/^[A-Za-z0-9._:-]+$/.test(host))
    throw new ConfigError(`HOST is "${host}": use a host name or an address.`)
  const port = integer('PORT', 3000, 0, 65_535)
  const demo = oneOf('DEMO', ['auto', 'off'], 'auto') === 'auto' && !production

  const databaseUrl = url('DATABASE_URL', ['postgres:', 'postgresql:'])
  const embedded =
    oneOf('EMBEDDED_DATABASE', ['allow', 'refuse'], production ? 'refuse' : 'allow') === 'allow'
  if (databaseUrl === null && !embedded) {
    throw new ConfigError(
      production
        ? 'DATABASE_URL is missing: in production give a PostgreSQL address, or EMBEDDED_DATABASE=allow to use the embedded database.'
        : 'DATABASE_URL is missing, and EMBEDDED_DATABASE=refuse rules out the embedded database.',
    )
  }

  const secretKey = text('SECRET_KEY')
  if (secretKey === null && production) {
    throw new ConfigError(
      'SECRET_KEY is missing: in production give at least 16 characters of your own, and keep them.',
    )
  }
  if (secretKey !== null && secretKey.length < 16)
    throw new ConfigError('SECRET_KEY is too short: use at least 16 characters.')

  const serviceName = text('SERVICE_NAME') ?? 'Svc'
  if (!/^[A-Za-z][A-Za-z0-9]{0,31}$/.test(serviceName)) {
    throw new ConfigError(`SERVICE_NAME is "${serviceName}": use 1 to 32 letters and digits, a letter first.`)
  }

  return Object.freeze({
    production,
    host,
    port,
    publicBaseUrl: readPublicBaseUrl(url('PUBLIC_BASE_URL', ['http:', 'https:']), host, port),
    serviceName,
    databaseUrl,
    databasePoolSize: integer('DATABASE_POOL_SIZE', 10, 1, 1000),
    preparedStatements: oneOf('PREPARED_STATEMENTS', ['on', 'off'], 'on') === 'on',
    dataDir: resolve(text('DATA_DIR') ?? './data'),
    secretKey,
    demo,
    photoSourceAllow: readPhotoSourceAllow(text('PHOTO_SOURCE_ALLOW'), production),
    s3: readS3(text, url, oneOf),
    limits: readLimits(text('LIMITS')),
    geocoder: oneOf('GEOCODER', geocoderNames, 'georef'),
    geocoderUrl: url('GEOCODER_URL', ['http:', 'https:'])?.replace(/\/+$/, '') ?? null,
    crawlersAllow: readAgents('CRAWLERS_ALLOW', text('CRAWLERS_ALLOW')),
    crawlersDeny: readAgents('CRAWLERS_DENY', text('CRAWLERS_DENY')),
    ...readMail(url('SMTP_URL', ['smtp:', 'smtps:']), text('MAIL_FROM')),
    ...readMarketplace(url('MARKETPLACE_URL', ['http:', 'https:']), text('MARKETPLACE_SECRET')),
    worker: oneOf('WORKER', ['inline', 'off'], 'inline'),
    trustProxy: readTrustProxy(text('TRUST_PROXY')),
    securityContact: readSecurityContact(text('SECURITY_CONTACT')),
    logLevel: oneOf('LOG_LEVEL', logLevels, production ? 'info' : 'warn'),
  })
}

function readPublicBaseUrl(value: string | null, host: string, port: number): string {
  if (value === null) {
    const named = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
    return `http://${named}:${port}`
  }
  if (!/^https?:\/\/[^/?#@]/i.test(value) || /[?#@]/.test(value)) {
    throw new ConfigError(
      'PUBLIC_BASE_URL has parameters, a fragment or credentials, or no host: use only scheme, host and path.',
    )
  }
  // As browsers write it, because it goes into headers: no letters beyond ASCII, no spaces.
  const { origin, pathname } = new URL(value)
  return origin + pathname.replace(/\/+$/, '')
}

function readPhotoSourceAllow(value: string | null, production: boolean): readonly string[] {
  if (value === null) return []
  if (production)
    throw new ConfigError(
      'PHOTO_SOURCE_ALLOW is refused in production: photos come from public addresses only.',
    )
  const sources = value.split(',').map((source) => source.trim().toLowerCase())
  for (const source of sources) {
    const port = /^(?:\[[0-9a-f:.]+\]|[a-z0-9.-]+):(\d{1,5})$/.exec(source)?.[1]
    if (port === undefined || Number(port) < 1 || Number(port) > 65_535) {
      throw new ConfigError(`PHOTO_SOURCE_ALLOW has "${source}": use host:port, separated by commas.`)
    }
  }
  return sources
}

function readMail(smtpUrl: string | null, mailFrom: string | null) {
  if (mailFrom !== null && !/^([^<>\p{Cc}]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u.test(mailFrom)) {
    throw new ConfigError(`MAIL_FROM is "${mailFrom}": use a@example.com or Name <a@example.com>.`)
  }
  if (smtpUrl !== null && mailFrom === null) throw new ConfigError('MAIL_FROM is missing: SMTP_URL needs it.')
  return { smtpUrl, mailFrom }
}

function readMarketplace(marketplaceUrl: string | null, marketplaceSecret: string | null) {
  const problem = marketplaceProblem(marketplaceUrl, marketplaceSecret)
  if (problem !== null) throw new ConfigError(problem)
  return { marketplaceUrl, marketplaceSecret }
}

function readS3(
  text: (name: string) => string | null,
  url: (name: string, protocols: readonly string[]) => string | null,
  oneOf: <T extends string>(name: string, allowed: readonly T[], fallback: T) => T,
): S3Config | null {
  const bucket = text('S3_BUCKET')
  const endpoint = url('S3_ENDPOINT', ['http:', 'https:'])
  if (bucket === null) {
    if (endpoint !== null) throw new ConfigError('S3_BUCKET is missing: S3_ENDPOINT needs it.')
    return null
  }
  const accessKeyId = text('S3_ACCESS_KEY_ID')
  const secretAccessKey = text('S3_SECRET_ACCESS_KEY')
  if (accessKeyId === null) throw new ConfigError('S3_ACCESS_KEY_ID is missing: S3_BUCKET needs it.')
  if (secretAccessKey === null) throw new ConfigError('S3_SECRET_ACCESS_KEY is missing: S3_BUCKET needs it.')
  return {
    endpoint,
    bucket,
    region: text('S3_REGION') ?? 'us-east-1',
    accessKeyId,
    secretAccessKey,
    forcePathStyle: oneOf('S3_PATH_STYLE', ['on', 'off'], endpoint === null ? 'off' : 'on') === 'on',
  }
}

/** `true`, `false`, a number of hops, or a comma-separated list of proxy addresses. */
function readTrustProxy(value: string | null): boolean | number | readonly string[] {
  if (value === null || value === 'false') return false
  if (value === 'true') return true
  if (/^\d{1,2}$/.test(value)) return Number(value)
  const proxies = value.split(',').map((proxy) => proxy.trim())
  for (const proxy of proxies) {
    if (!isNetwork(proxy) && !['loopback', 'linklocal', 'uniquelocal'].includes(proxy)) {
      throw new ConfigError(
        `TRUST_PROXY has "${proxy}": use true, false, a number of hops, or proxy addresses separated by commas.`,
      )
    }
  }
  return proxies
}

/** As RFC 9116 wants it, and as it may stand in a line of a file and in a link. */
function readSecurityContact(value: string | null): string | null {
  if (value === null || /^mailto:[^\s@?<>"']+@[^\s@?<>"']+\.[^\s@?<>"']+$/.test(value)) return value
  if (/^https:\/\/[^\s<>"']+$/.test(value) && URL.canParse(value)) return value
  throw new ConfigError(
    `SECURITY_CONTACT is "${value}": use an address that starts with mailto: or https://.`,
  )
}

/** An address, or a range of them such as 10.0.0.0/8. */
function isNetwork(text: string): boolean {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  if (bits !== undefined && Number(bits) === 0) return false
  return isIP(address) !== 0 && Number(bits ?? 1) <= (isIP(address) === 4 ? 32 : 128)
}

function readLimits(value: string | null): Limits {
  try {
    return limitsWith(value === null ? {} : JSON.parse(value))
  } catch (error) {
    throw new ConfigError(`LIMITS cannot be used: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

/** Parts of User-Agents. One or two characters would match nearly everybody; a pattern would match nobody. */
function readAgents(name: string, value: string | null): readonly string[] {
  if (value === null) return []
  const parts = value.split(',').map((part) => part.trim())
  for (const part of parts) {
    if (!/^[ -~]{3,200}$/.test(part) || /[*^$\\]/.test(part)) {
      throw new ConfigError(
        `${name} has "${part}": use parts of User-Agents, separated by commas, of at least 3 plain characters and without * or other signs of patterns.`,
      )
    }
  }
  return parts
}

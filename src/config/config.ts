/**
 * The settings: the only reader of the environment. A wrong value stops the start with one line that names it.
 */
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { withFiles } from './files.ts'
import {
  ConfigError,
  readAgents,
  readLimits,
  readMail,
  readMarketplace,
  readPhotoSourceAllow,
  readPublicBaseUrl,
  readS3,
  readSecurityContact,
  readTrustProxy,
  type ReadText,
  type ReadUrl,
  type ReadWord,
  type S3Config,
} from './values.ts'
import type { Limits } from '../limits/table.ts'

export type Config = Readonly<{
  production: boolean
  host: string
  port: number
  /** Without a trailing slash; every address the service shows begins with it. */
  publicBaseUrl: string
  /** Whether responses carry Strict-Transport-Security; false if the public address is plain http. */
  hsts: boolean
  serviceName: string
  /** Null: the embedded database. */
  databaseUrl: string | null
  /** A replica that reads may be answered from; null: everything is asked of the one database. */
  databaseReadUrl: string | null
  /** Connections of each process at most. */
  databasePoolSize: number
  /** False behind a pooler that cannot keep named prepared statements. */
  preparedStatements: boolean
  dataDir: string
  /** Null: made and kept in dataDir. */
  secretKey: string | null
  /** Show the demonstration's keys, serve and accept the sample pictures. */
  demo: boolean
  /** Fill an empty database with demonstration data. */
  demoFills: boolean
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
  /** `required`: operators can do nothing without a second factor. */
  operatorSecondFactor: 'optional' | 'required'
  /** Null: no marketplace is told of changes of state. */
  marketplaceUrl: string | null
  /** What its events are signed with; there when marketplaceUrl is. */
  marketplaceSecret: string | null
  /** How long settled notifications are kept; null: forever. */
  notificationsKeptDays: number | null
  /** Whether the server's process also does the worker's part. */
  worker: 'inline' | 'off'
  /** Processes that share the port. */
  workers: number
  /** Where Prometheus finds the figures; null: nowhere. */
  metricsPort: number | null
  /** How much of finished answers each process remembers. */
  answerCacheMegabytes: number
  /** Base address of the collector that traces are sent to; null: nothing is traced. It may hold a password. */
  otlpEndpoint: string | null
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
export function readConfig(given: Readonly<Record<string, string | undefined>>): Config {
  const env = withFiles(given)
  const text: ReadText = (name) => {
    const value = env[name]?.trim()
    return value === undefined || value === '' ? null : value
  }
  const oneOf: ReadWord = <T extends string>(name: string, allowed: readonly T[], fallback: T): T => {
    const value = text(name) ?? fallback
    if (!(allowed as readonly string[]).includes(value)) {
      throw new ConfigError(`${name} is "${value}": use one of ${allowed.join(', ')}.`)
    }
    return value as T
  }
  const integer = (name: string, fallback: number, min: number, max: number, orWord = ''): number => {
    const value = text(name)
    if (value === null) return fallback
    if (!/^\d+$/.test(value) || Number(value) < min || Number(value) > max) {
      throw new ConfigError(`${name} is "${value}": use a whole number from ${min} to ${max}${orWord}.`)
    }
    return Number(value)
  }
  const url: ReadUrl = (name, protocols) => {
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
  const demoSetting = oneOf('DEMO', ['auto', 'on', 'off'], 'auto')
  const demo = demoSetting === 'on' || (demoSetting === 'auto' && !production)

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

  const databaseReadUrl = url('DATABASE_READ_URL', ['postgres:', 'postgresql:'])
  if (databaseReadUrl !== null && databaseUrl === null)
    throw new ConfigError('DATABASE_READ_URL needs DATABASE_URL: a replica is one of that database.')

  const metricsPort = text('METRICS_PORT') === null ? null : integer('METRICS_PORT', 0, 1, 65_535)
  if (metricsPort !== null && metricsPort === port)
    throw new ConfigError(`METRICS_PORT is "${metricsPort}", as is PORT: use another.`)

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

  const publicBaseUrl = readPublicBaseUrl(url('PUBLIC_BASE_URL', ['http:', 'https:']), host, port)
  return Object.freeze({
    production,
    host,
    port,
    publicBaseUrl,
    hsts: oneOf('HSTS', ['on', 'off'], 'on') === 'on' && publicBaseUrl.startsWith('https:'),
    serviceName,
    databaseUrl,
    databaseReadUrl,
    databasePoolSize: integer('DATABASE_POOL_SIZE', 10, 1, 1000),
    preparedStatements: oneOf('PREPARED_STATEMENTS', ['on', 'off'], 'on') === 'on',
    dataDir: resolve(text('DATA_DIR') ?? './data'),
    secretKey,
    demo,
    // An external database belongs to someone else: never fill it unasked.
    demoFills: demo && (demoSetting === 'on' || databaseUrl === null),
    photoSourceAllow: readPhotoSourceAllow(text('PHOTO_SOURCE_ALLOW'), production),
    s3: readS3(text, url, oneOf),
    limits: readLimits(text('LIMITS')),
    geocoder: oneOf('GEOCODER', geocoderNames, 'georef'),
    geocoderUrl: url('GEOCODER_URL', ['http:', 'https:'])?.replace(/\/+$/, '') ?? null,
    crawlersAllow: readAgents('CRAWLERS_ALLOW', text('CRAWLERS_ALLOW')),
    crawlersDeny: readAgents('CRAWLERS_DENY', text('CRAWLERS_DENY')),
    ...readMail(url('SMTP_URL', ['smtp:', 'smtps:']), text('MAIL_FROM'), publicBaseUrl),
    ...readMarketplace(url('MARKETPLACE_URL', ['http:', 'https:']), text('MARKETPLACE_SECRET')),
    notificationsKeptDays:
      text('NOTIFICATIONS_KEPT_DAYS') === 'forever'
        ? null
        : integer('NOTIFICATIONS_KEPT_DAYS', 90, 1, 36_500, ', or forever'),
    operatorSecondFactor: oneOf('OPERATOR_SECOND_FACTOR', ['optional', 'required'], 'optional'),
    worker: oneOf('WORKER', ['inline', 'off'], 'inline'),
    workers: integer('WORKERS', availableParallelism(), 1, 256),
    metricsPort,
    answerCacheMegabytes: integer('ANSWER_CACHE_MB', 32, 0, 4_096),
    otlpEndpoint: url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']),
    trustProxy: readTrustProxy(text('TRUST_PROXY')),
    securityContact: readSecurityContact(text('SECURITY_CONTACT')),
    logLevel: oneOf('LOG_LEVEL', logLevels, production ? 'info' : 'warn'),
  })
}

/** The settings, and the only reader of the environment. A wrong value stops the start with one line that names it. */
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { readFileSync } from 'node:fs'
import { closestZoom, readMapTiles } from './map-tiles.ts'
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
  type ReadText,
  readTrustProxy,
  type ReadUrl,
  type ReadWord,
} from './values.ts'

const geocoderNames = ['georef', 'nominatim', 'none'] as const
export type GeocoderName = (typeof geocoderNames)[number]
const onOff = ['on', 'off'] as const
const web = ['http:', 'https:']
const postgres = ['postgres:', 'postgresql:']
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** The settings of this process. @param replaced values that take precedence @throws ConfigError */
export function configFromEnvironment(replaced: Readonly<Record<string, string>> = {}): Config {
  return readConfig({ ...process.env, ...replaced })
}

type Environment = Readonly<Record<string, string | undefined>>
export type Config = ReturnType<typeof readConfig>

/** Reads and checks every setting. @throws ConfigError naming the first wrong one. */
export function readConfig(given: Environment) {
  const env = withFiles(given)
  const text: ReadText = (name) => {
    const value = env[name]?.trim()
    return value === undefined || value === '' ? null : value
  }
  const oneOf: ReadWord = (name, allowed, fallback) => {
    const value = text(name) ?? fallback
    const found = allowed.find((one) => one === value)
    if (found === undefined) throw new ConfigError(`${name} is "${value}": use one of ${allowed.join(', ')}.`)
    return found
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
      // The value may contain a password, so it is not repeated.
      throw new ConfigError(
        `${name} must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}.`,
      )
    }
    return value
  }

  const environment = oneOf('NODE_ENV', ['development', 'test', 'production'], 'development')
  const production = environment === 'production'
  const host = text('HOST') ?? '127.0.0.1'
  if (!/^[A-Za-z0-9._:-]+$/.test(host)) throw new ConfigError(`HOST is "${host}": use a host name or an IP.`)
  const port = integer('PORT', 3000, 0, 65_535)
  const demoSetting = oneOf('DEMO', ['auto', 'on', 'off'], 'auto')
  const demo = demoSetting === 'on' || (demoSetting === 'auto' && !production)

  const databaseUrl = url('DATABASE_URL', postgres)
  const embedded =
    oneOf('EMBEDDED_DATABASE', ['allow', 'refuse'], production ? 'refuse' : 'allow') === 'allow'
  if (databaseUrl === null && !embedded) {
    throw new ConfigError(
      production
        ? 'DATABASE_URL is missing: in production set it to a PostgreSQL URL, or set EMBEDDED_DATABASE=allow to use the embedded database.'
        : 'DATABASE_URL is missing: set it, since EMBEDDED_DATABASE=refuse rules out the embedded database.',
    )
  }

  const databaseReadUrl = url('DATABASE_READ_URL', postgres)
  if (databaseReadUrl !== null && databaseUrl === null)
    throw new ConfigError('DATABASE_READ_URL needs DATABASE_URL: set it to the primary of that replica.')

  const metricsPort = text('METRICS_PORT') === null ? null : integer('METRICS_PORT', 0, 1, 65_535)
  if (metricsPort !== null && metricsPort === port)
    throw new ConfigError(`METRICS_PORT is "${metricsPort}", the same as PORT: use another.`)

  const secretKey = text('SECRET_KEY')
  if (secretKey === null && production) {
    throw new ConfigError(
      'SECRET_KEY is missing: in production set it to at least 16 characters of your own, and keep them safe.',
    )
  }
  if (secretKey !== null && secretKey.length < 16)
    throw new ConfigError('SECRET_KEY is too short: use at least 16 characters.')

  const serviceName = text('SERVICE_NAME') ?? 'Svc'
  if (!/^[A-Za-z][A-Za-z0-9]{0,31}$/.test(serviceName)) {
    throw new ConfigError(
      `SERVICE_NAME is "${serviceName}": use 1 to 32 letters and digits, starting with a letter.`,
    )
  }

  const publicBaseUrl = readPublicBaseUrl(url('PUBLIC_BASE_URL', web), host, port)
  return Object.freeze({
    production,
    host,
    port,
    /** Without a trailing slash. Every URL the service shows begins with it. */
    publicBaseUrl,
    /** Whether responses carry Strict-Transport-Security; false if publicBaseUrl is plain http. */
    hsts: oneOf('HSTS', onOff, 'on') === 'on' && publicBaseUrl.startsWith('https:'),
    serviceName,
    /** Null: the embedded database. */
    databaseUrl,
    /** A replica for reads. Null: none. */
    databaseReadUrl,
    /** Maximum connections of each process. */
    databasePoolSize: integer('DATABASE_POOL_SIZE', 10, 1, 1000),
    /** False behind a pooler that does not support named prepared statements. */
    preparedStatements: oneOf('PREPARED_STATEMENTS', onOff, 'on') === 'on',
    dataDir: resolve(text('DATA_DIR') ?? './data'),
    /** Null: generated and kept in dataDir. */
    secretKey,
    /** Show the demonstration's keys; serve and accept the sample pictures. */
    demo,
    /** Fill an empty database with demonstration data. An external one belongs to someone else, so it is filled only on request. */
    demoFills: demo && (demoSetting === 'on' || databaseUrl === null),
    /** `host:port` of photo sources that may be private and plain http. Empty in production. */
    photoSourceAllow: readPhotoSourceAllow(text('PHOTO_SOURCE_ALLOW'), production),
    /** Null: photos are files under dataDir. */
    s3: readS3(text, url, oneOf),
    /** The defaults with the operator's changes. */
    limits: readLimits(text('LIMITS')),
    geocoder: oneOf('GEOCODER', geocoderNames, 'georef'),
    /** Base URL of the geocoder. Null: its public service. */
    geocoderUrl: url('GEOCODER_URL', web)?.replace(/\/+$/, '') ?? null,
    /** The source of map tiles. Null: maps are outlines. */
    mapTiles: readMapTiles(text, url, integer('MAP_TILES_MAX_ZOOM', 19, 10, closestZoom)),
    /** Parts of User-Agents that the crawler gate always admits, and always refuses. */
    crawlersAllow: readAgents('CRAWLERS_ALLOW', text('CRAWLERS_ALLOW')),
    crawlersDeny: readAgents('CRAWLERS_DENY', text('CRAWLERS_DENY')),
    /** `smtpUrl`: null if mail is not configured; may contain a password. `mailFrom`: the sender; set when smtpUrl is. */
    ...readMail(url('SMTP_URL', ['smtp:', 'smtps:']), text('MAIL_FROM'), { publicBaseUrl, serviceName }),
    /** `marketplaceUrl`: null if no marketplace is notified. `marketplaceSecret` signs its events; set when the URL is. */
    ...readMarketplace(url('MARKETPLACE_URL', web), text('MARKETPLACE_SECRET')),
    /** How long settled notifications are kept. Null: forever. */
    notificationsKeptDays:
      text('NOTIFICATIONS_KEPT_DAYS') === 'forever'
        ? null
        : integer('NOTIFICATIONS_KEPT_DAYS', 90, 1, 36_500, ', or forever'),
    /** `required`: operators must turn on two-step verification first. */
    operatorSecondFactor: oneOf('OPERATOR_SECOND_FACTOR', ['optional', 'required'], 'optional'),
    /** Whether the server's process also runs the worker. */
    worker: oneOf('WORKER', ['inline', 'off'], 'inline'),
    /** Processes that share the port. */
    workers: integer('WORKERS', availableParallelism(), 1, 256),
    /** The port of the Prometheus metrics. Null: none. */
    metricsPort,
    /** Size of each process's memory of finished responses. */
    answerCacheMegabytes: integer('ANSWER_CACHE_MB', 32, 0, 4_096),
    /** Base URL of the trace collector. Null: no tracing. May contain a password. */
    otlpEndpoint: url('OTEL_EXPORTER_OTLP_ENDPOINT', web),
    trustProxy: readTrustProxy(text('TRUST_PROXY')),
    /** For vulnerability reports: a `mailto:` or `https:` URL. Null: the terms page. */
    securityContact: readSecurityContact(text('SECURITY_CONTACT')),
    logLevel: oneOf('LOG_LEVEL', logLevels, production ? 'info' : 'warn') as string,
  })
}

/** The settings that are or may contain a secret. Container platforms provide them as files: `NAME_FILE` is the path of `NAME`. */
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

/** The settings, and the only reader of the environment for them. A wrong value stops the start with one line that names it. */
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { closestZoom, readMapTiles } from './map-tiles.ts'
import { ConfigError, type Environment, type Reader, settingsReader } from './settings-reader.ts'
import {
  readAgents,
  readLimits,
  readMail,
  readMarketplace,
  readPhotoSourceAllow,
  readPublicBaseUrl,
  readSecurityContact,
  readTraceRatio,
  readTrustProxy,
  type RelyingParty,
  relyingPartyOf,
} from './values.ts'
import { readStores } from './stores.ts'

const geocoderNames = ['georef', 'nominatim', 'none'] as const
export type GeocoderName = (typeof geocoderNames)[number]
const onOff = ['on', 'off'] as const
const web = ['http:', 'https:']
const postgres = ['postgres:', 'postgresql:']
/** OpenTelemetry's names, except for samplers that query a server. */
const traceSamplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** The settings of this process. @param replaced values that take precedence @throws ConfigError */
export function configFromEnvironment(replaced: Readonly<Record<string, string>> = {}): Config {
  return readConfig({ ...process.env, ...replaced })
}

export type Config = ReturnType<typeof readConfig>

/** Reads and checks every setting. @throws ConfigError naming the first wrong one. */
export function readConfig(env: Environment) {
  const reader = settingsReader(env)
  const { text, oneOf, integer, url } = reader
  const production = oneOf('NODE_ENV', ['development', 'test', 'production'], 'development') === 'production'
  const host = readHost(text('HOST') ?? '127.0.0.1')
  const port = integer('PORT', 3000, 0, 65_535)
  const demoSetting = oneOf('DEMO', ['auto', ...onOff], 'auto')
  const demo = demoSetting === 'on' || (demoSetting === 'auto' && !production)
  const { databaseUrl, databaseReadUrl } = readDatabaseUrls(reader, production)
  const metricsPort = readMetricsPort(reader, port)
  const secretKey = readSecretKey(text('SECRET_KEY'), production)
  const serviceName = readServiceName(text('SERVICE_NAME') ?? 'Svc')
  const publicBaseUrl = readPublicBaseUrl(url('PUBLIC_BASE_URL', web), host, port)
  const relyingParty = relyingPartyOf(publicBaseUrl, serviceName)
  return Object.freeze({
    production,
    host,
    port,
    /** Without a trailing slash. Every URL the service shows begins with it. */
    publicBaseUrl,
    /** The path in publicBaseUrl, without a trailing slash; often empty. */
    basePath: new URL(publicBaseUrl).pathname.replace(/\/$/, ''),
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
    /** Decrypts what was encrypted before secretKey was changed. Null: none. */
    secretKeyPrevious: readPreviousKey(text('SECRET_KEY_PREVIOUS'), secretKey),
    /** Show the demonstration's keys; serve and accept the sample pictures. */
    demo,
    /** Fill an empty database with demonstration data. An external one belongs to someone else, so it is filled only on request. */
    demoFills: demo && (demoSetting === 'on' || databaseUrl === null),
    /** `host:port` of photo sources that may be private, over https only. Empty in production. */
    photoSourceAllow: readPhotoSourceAllow(text('PHOTO_SOURCE_ALLOW'), production),
    ...readStores(reader),
    /** The defaults with the operator's changes. */
    limits: readLimits(text('LIMITS')),
    geocoder: oneOf('GEOCODER', geocoderNames, 'georef'),
    /** Base URL of the geocoder. Null: its public service. */
    geocoderUrl: url('GEOCODER_URL', web)?.replace(/\/+$/, '') ?? null,
    /** The source of map tiles. Null: maps are outlines. */
    mapTiles: readMapTiles(reader, integer('MAP_TILES_MAX_ZOOM', 19, 10, closestZoom)),
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
    /** `required`: operators must add a passkey first. */
    operatorPasskey: readOperatorPasskey(reader, relyingParty),
    /** Null: browsers offer no passkeys for publicBaseUrl. */
    relyingParty,
    /** Whether the server's process also runs the worker. */
    worker: oneOf('WORKER', ['inline', 'off'], 'inline'),
    /** Processes that share the port. */
    workers: integer('WORKERS', availableParallelism(), 1, 256),
    /** The port of the Prometheus metrics. Null: none. */
    metricsPort,
    /** Size of each process's cache of responses. */
    responseCacheMegabytes: integer('ANSWER_CACHE_MB', 32, 0, 4_096),
    /** Base URL of the trace collector. Null: no tracing. May contain a password. */
    otlpEndpoint: url('OTEL_EXPORTER_OTLP_ENDPOINT', web),
    /** Which requests are traced. */
    traceSampler: oneOf('OTEL_TRACES_SAMPLER', traceSamplers, 'parentbased_always_on'),
    /** The share of requests that the samplers by ratio record. */
    traceRatio: readTraceRatio(text('OTEL_TRACES_SAMPLER_ARG')),
    trustProxy: readTrustProxy(text('TRUST_PROXY')),
    /** For vulnerability reports: a `mailto:` or `https:` URL. Null: the terms page. */
    securityContact: readSecurityContact(text('SECURITY_CONTACT')),
    logLevel: oneOf('LOG_LEVEL', logLevels, production ? 'info' : 'warn') as string,
  })
}

function readHost(host: string): string {
  if (/^[A-Za-z0-9._:-]+$/.test(host)) return host
  throw new ConfigError(`HOST is "${host}": use a host name or an IP.`)
}

function readDatabaseUrls({ url, oneOf }: Reader, production: boolean) {
  const databaseUrl = url('DATABASE_URL', postgres)
  const embedded = oneOf('EMBEDDED_DATABASE', ['allow', 'refuse'], production ? 'refuse' : 'allow')
  if (databaseUrl === null && embedded === 'refuse')
    throw new ConfigError(
      production
        ? 'DATABASE_URL is missing: in production set it to a PostgreSQL URL, or set EMBEDDED_DATABASE=allow to use the embedded database.'
        : 'DATABASE_URL is missing: set it, since EMBEDDED_DATABASE=refuse rules out the embedded database.',
    )
  const databaseReadUrl = url('DATABASE_READ_URL', postgres)
  if (databaseReadUrl !== null && databaseUrl === null)
    throw new ConfigError('DATABASE_READ_URL needs DATABASE_URL: set it to the primary of that replica.')
  return { databaseUrl, databaseReadUrl }
}

function readMetricsPort({ text, integer }: Reader, port: number): number | null {
  if (text('METRICS_PORT') === null) return null
  const metricsPort = integer('METRICS_PORT', 0, 1, 65_535)
  if (metricsPort !== port) return metricsPort
  throw new ConfigError(`METRICS_PORT is "${metricsPort}", the same as PORT: use another.`)
}

function readOperatorPasskey({ oneOf }: Reader, relyingParty: RelyingParty | null) {
  const operatorPasskey = oneOf('OPERATOR_PASSKEY', ['optional', 'required'], 'optional')
  if (operatorPasskey === 'optional' || relyingParty !== null) return operatorPasskey
  throw new ConfigError(
    'OPERATOR_PASSKEY is "required": browsers offer passkeys only if PUBLIC_BASE_URL is https with a host name, or http://localhost.',
  )
}

function readSecretKey(secretKey: string | null, production: boolean): string | null {
  if (secretKey === null && production)
    throw new ConfigError(
      'SECRET_KEY is missing: in production set it to at least 16 characters of your own, and keep them safe.',
    )
  if (secretKey !== null && secretKey.length < 16)
    throw new ConfigError('SECRET_KEY is too short: use at least 16 characters.')
  return secretKey
}

function readPreviousKey(previous: string | null, secretKey: string | null): string | null {
  if (previous !== null && previous.length < 16)
    throw new ConfigError('SECRET_KEY_PREVIOUS is too short: use at least 16 characters.')
  if (previous !== null && previous === secretKey)
    throw new ConfigError('SECRET_KEY_PREVIOUS is the same as SECRET_KEY: leave it out.')
  return previous
}

function readServiceName(name: string): string {
  if (/^[A-Za-z][A-Za-z0-9]{0,31}$/.test(name)) return name
  throw new ConfigError(`SERVICE_NAME is "${name}": use 1 to 32 letters and digits, starting with a letter.`)
}

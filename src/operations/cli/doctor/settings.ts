/** The settings and limits in force, set or default, without secrets. */
import type { Config } from '../../../platform/config/config.ts'
import { table } from '../output.ts'

export function settingsInForce(config: Config) {
  const {
    basePath: _basePath,
    databaseUrl,
    databaseReadUrl,
    secretKey,
    secretKeyPrevious,
    geocoderUrl,
    s3,
    s3Access: _s3Access,
    relyingParty,
    limits,
    smtpUrl,
    marketplaceUrl,
    marketplaceSecret,
    otlpEndpoint,
    mapTiles,
    ...plain
  } = config
  const settings = {
    ...plain,
    database: databaseUrl === null ? 'embedded' : 'DATABASE_URL',
    replica: databaseReadUrl === null ? 'not configured' : 'DATABASE_READ_URL',
    secretKey: secretKey === null ? 'kept in DATA_DIR' : 'SECRET_KEY',
    secretKeyPrevious: secretKeyPrevious === null ? 'not configured' : 'SECRET_KEY_PREVIOUS',
    // Its path or user may hold a key.
    geocoderUrl: geocoderUrl === null ? 'the public service' : new URL(geocoderUrl).origin,
    passkeys: relyingParty === null ? 'not possible with this PUBLIC_BASE_URL' : relyingParty.id,
    photoStorage: s3 === null ? 'DATA_DIR' : `bucket ${s3.bucket}`,
    mail: smtpUrl === null ? 'not configured' : 'SMTP_URL',
    marketplace: marketplaceUrl === null ? 'not configured' : new URL(marketplaceUrl).origin,
    // Its path may hold a key.
    mapTiles: mapTiles === null ? 'not configured' : new URL(mapTiles.url).origin,
    traces: otlpEndpoint === null ? 'not sent' : 'OTEL_EXPORTER_OTLP_ENDPOINT',
    marketplaceSecret: marketplaceSecret === null ? 'not configured' : 'MARKETPLACE_SECRET',
  }
  const named = Object.entries(limits).map(
    ([name, { max, windowSeconds }]) => [name, { max, window_seconds: windowSeconds }] as const,
  )
  return { settings, limits: Object.fromEntries(named) }
}

export function describeInForce({ settings, limits }: ReturnType<typeof settingsInForce>): string[] {
  const shown = (value: unknown) => (Array.isArray(value) ? value.join(', ') || 'none' : String(value))
  const settingRows = Object.entries(settings).map(([name, value]) => [name, shown(value)])
  const limitRows = Object.entries(limits).map(([name, { max, window_seconds: seconds }]) => [
    name,
    String(max),
    `${seconds} s`,
  ])
  return [table(['SETTING', 'IN FORCE'], settingRows, ''), table(['LIMIT', 'MAX', 'IN'], limitRows, '')]
}

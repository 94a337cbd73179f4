/**
 * Removes secrets and personal data from the texts of a support bundle. No part includes them on purpose, but a message of PostgreSQL, a
 * mail server or the system may quote them.
 */
import { loadSecretKeys } from '../../../access/secrets/secret-keys.ts'
import type { Config } from '../../../platform/config/config.ts'

/** A shorter secret would be found in unrelated words. */
const shortest = 4

const patterns: readonly (readonly [pattern: RegExp, shown: string])[] = [
  // Before emails, because a user and a host look like one.
  [/\/\/[^/\s"@]+@/g, '//[credentials]@'],
  [/[\p{L}\p{N}.+%_-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu, '[email]'],
  [/\b[A-Za-z][A-Za-z0-9]*_(?:live|test|sign)_\w{8,}/g, '[key]'],
  [/whsec_[A-Za-z0-9+/=]+/g, '[secret]'],
  [/\b(Bearer|Basic) [\w.~+/=-]+/gi, '$1 [secret]'],
]

/** @returns a function that removes the secrets of these settings, and everything that looks like a key, a token or an email */
export async function redactor(config: Config): Promise<(text: string) => string> {
  const written = (await secretsOf(config)).flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
  const secrets = [...new Set(written)]
    .filter((secret) => secret.length >= shortest)
    // A secret may contain another.
    .sort((one, other) => other.length - one.length)
  return (text) => {
    const plain = secrets.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text)
    return patterns.reduce((rest, [pattern, shown]) => rest.replaceAll(pattern, shown), plain)
  }
}

async function secretsOf(config: Config): Promise<string[]> {
  const {
    databaseUrl,
    databaseReadUrl,
    smtpUrl,
    mapTiles,
    otlpEndpoint,
    marketplaceUrl,
    geocoderUrl,
    s3Access,
  } = config
  const urls = [
    databaseUrl,
    databaseReadUrl,
    smtpUrl,
    mapTiles?.url ?? null,
    otlpEndpoint,
    marketplaceUrl,
    geocoderUrl,
  ]
  const keys = await loadSecretKeys(config).catch(() => null)
  return [
    ...urls.flatMap((url) => (url === null ? [] : secretsOfUrl(url))),
    config.secretKey,
    keys?.current,
    config.secretKeyPrevious,
    config.marketplaceSecret,
    s3Access?.accessKeyId,
    s3Access?.secretAccessKey,
  ].filter((secret) => typeof secret === 'string')
}

/** The whole URL, its password as written and as decoded, and the values of its query. */
function secretsOfUrl(url: string): string[] {
  const { protocol, password, searchParams } = new URL(url)
  const names = protocol.startsWith('postgres') ? ['password', 'sslpassword'] : [...searchParams.keys()]
  return [url, password, decoded(password), ...names.flatMap((name) => searchParams.getAll(name))]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // The text has a percent sign that encodes nothing.
    return text
  }
}

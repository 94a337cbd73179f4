/** Parses the settings that are more than a word or a number, with a message for each that is wrong. */
import { isIP } from 'node:net'
import { type Limits, limitsWith } from '../../limits/table.ts'
import { messageOf } from '../errors/errors.ts'
import { ConfigError } from './settings-reader.ts'

export function readPublicBaseUrl(value: string | null, host: string, port: number): string {
  if (value === null) {
    const named = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
    return `http://${named}:${port}`
  }
  if (!/^https?:\/\/[^/?#@]/i.test(value) || /[?#@]/.test(value)) {
    throw new ConfigError('PUBLIC_BASE_URL must have only a scheme, a host and a path.')
  }
  // As browsers write it, because it goes into headers: ASCII only, no spaces.
  const { origin, pathname } = new URL(value)
  return origin + pathname.replace(/\/+$/, '')
}

/** The service as passkeys know it: they work for this host only. */
export type RelyingParty = Readonly<{ id: string; origin: string; name: string }>

/** Null where browsers offer no passkeys: they need https, or `localhost`, and a host that is not an IP. */
export function relyingPartyOf(publicBaseUrl: string, name: string): RelyingParty | null {
  const { protocol, hostname: id, origin } = new URL(publicBaseUrl)
  const isLocal = id === 'localhost' || id.endsWith('.localhost')
  const isIp = isIP(id.replaceAll(/[[\]]/g, '')) !== 0
  return isIp || !(isLocal || protocol === 'https:') ? null : { id, origin, name }
}

export function readPhotoSourceAllow(value: string | null, production: boolean): readonly string[] {
  if (value === null) return []
  if (production)
    throw new ConfigError(
      'PHOTO_SOURCE_ALLOW must not be set in production: photos come from public hosts only.',
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

/** Without MAIL_FROM, mails come from no-reply at the service's own host. An email without a name gets the service's. */
export function readMail(
  smtpUrl: string | null,
  mailFrom: string | null,
  { publicBaseUrl, serviceName }: Readonly<{ publicBaseUrl: string; serviceName: string }>,
): { smtpUrl: string | null; mailFrom: string | null } {
  if (mailFrom !== null && !/^([^<>\p{Cc}]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u.test(mailFrom)) {
    throw new ConfigError(`MAIL_FROM is "${mailFrom}": use a@example.com or Name <a@example.com>.`)
  }
  if (smtpUrl !== null && new URL(smtpUrl).hostname === '')
    throw new ConfigError('SMTP_URL has no host: use smtp://host:port.')
  const named = (email: string) => (email.includes('<') ? email : `${serviceName} <${email}>`)
  if (mailFrom !== null) return { smtpUrl, mailFrom: named(mailFrom) }
  if (smtpUrl === null) return { smtpUrl, mailFrom }
  const { hostname } = new URL(publicBaseUrl)
  const isNumber = isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0
  return { smtpUrl, mailFrom: named(`no-reply@${isNumber ? 'localhost' : hostname}`) }
}

/** Errors never repeat the values. The URL may be private and plain http: it is the operator's choice. */
export function readMarketplace(marketplaceUrl: string | null, marketplaceSecret: string | null) {
  const { username, password, hash } = new URL(marketplaceUrl ?? 'https://none.example')
  if (username !== '' || password !== '' || hash !== '')
    throw new ConfigError(
      'MARKETPLACE_URL must not have credentials or a fragment: the signature identifies the service.',
    )
  if (marketplaceSecret !== null && signingBytes(marketplaceSecret) === null)
    throw new ConfigError(
      'MARKETPLACE_SECRET is malformed: use whsec_ and base64, or any text, of at least 16 bytes.',
    )
  if (marketplaceUrl !== null && marketplaceSecret === null)
    throw new ConfigError('MARKETPLACE_SECRET is missing: MARKETPLACE_URL needs it.')
  return { marketplaceUrl, marketplaceSecret }
}

/** `true`, `false`, a number of hops, or a comma-separated list of proxy IPs. */
export function readTrustProxy(value: string | null): boolean | number | readonly string[] {
  if (value === null || value === 'false') return false
  if (value === 'true') return true
  if (/^\d{1,2}$/.test(value)) return Number(value)
  const proxies = value.split(',').map((proxy) => proxy.trim())
  for (const proxy of proxies) {
    if (!isNetwork(proxy) && !['loopback', 'linklocal', 'uniquelocal'].includes(proxy)) {
      throw new ConfigError(
        `TRUST_PROXY has "${proxy}": use true, false, a number of hops, or proxy IPs separated by commas.`,
      )
    }
  }
  return proxies
}

/** A contact as RFC 9116 requires, safe on a line of security.txt and in a link. */
export function readSecurityContact(value: string | null): string | null {
  if (value === null || /^mailto:[^\s@?<>"']+@[^\s@?<>"']+\.[^\s@?<>"']+$/.test(value)) return value
  if (/^https:\/\/[^\s<>"']+$/.test(value) && URL.canParse(value)) return value
  throw new ConfigError(`SECURITY_CONTACT is "${value}": use a URL that starts with mailto: or https://.`)
}

/** An IP, or a range such as 10.0.0.0/8. */
function isNetwork(text: string): boolean {
  const [, ip = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  if (bits !== undefined && Number(bits) === 0) return false
  return isIP(ip) !== 0 && Number(bits ?? 1) <= (isIP(ip) === 4 ? 32 : 128)
}

export function readTraceRatio(value: string | null): number {
  if (value === null) return 1
  if (/^(?:\d|\d?\.\d+)$/.test(value) && Number(value) <= 1) return Number(value)
  throw new ConfigError(`OTEL_TRACES_SAMPLER_ARG is "${value}": use a share from 0 to 1, such as 0.05.`)
}

export function readLimits(value: string | null): Limits {
  try {
    return limitsWith(value === null ? {} : JSON.parse(value))
  } catch (error) {
    throw new ConfigError(`LIMITS cannot be used: ${messageOf(error)}.`)
  }
}

/** Parts of User-Agents. One or two characters would match nearly every client; a pattern would match none. */
export function readAgents(name: string, value: string | null): readonly string[] {
  if (value === null) return []
  const parts = value.split(',').map((part) => part.trim())
  for (const part of parts) {
    if (!/^[ -~]{3,200}$/.test(part) || /[*^$\\]/.test(part)) {
      throw new ConfigError(
        `${name} has "${part}": use parts of User-Agents, separated by commas, each of at least 3 plain characters, without wildcards.`,
      )
    }
  }
  return parts
}

const prefix = 'whsec_'
const minBytes = 16

/** The signing key in a secret: `whsec_` and base64, as in Standard Webhooks, or any text. Null if malformed or under 16 bytes. */
export function signingBytes(secret: string): Buffer | null {
  const encoded = secret.startsWith(prefix) ? secret.slice(prefix.length) : null
  if (encoded !== null && !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return null
  const bytes = encoded === null ? Buffer.from(secret, 'utf8') : Buffer.from(encoded, 'base64')
  return bytes.length >= minBytes ? bytes : null
}

/**
 * Checks a photo's URL before any connection (api.md 13.1: URLs pointing to internal networks are rejected).
 * download.ts checks the IPs that its host resolves to.
 */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { textLimits } from '../../limits/sizes.ts'
import { hasStrayCharacters } from './names-and-urls.ts'

/** Sources that may be private, on any port. Both empty in production. */
export type PhotoSourceAllow = {
  /** `host:port`, from PHOTO_SOURCE_ALLOW. */
  hosts: readonly string[]
  /** The service's own origins in demonstration mode, also over plain http: `http://127.0.0.1:3000`. */
  origins: readonly string[]
}

const internalNames = ['localhost', 'local', 'internal']
// Azure's platform service: an IP in the public ranges that only Azure's virtual machines reach.
const azurePlatform = '168.63.129.16'
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** The URL's problem as a sentence, or null. Opens no connection and resolves no name. */
export function checkPhotoUrl(text: string, allow: PhotoSourceAllow): string | null {
  if (text.length > textLimits.url) return `The URL must have at most ${textLimits.url} characters.`
  if (hasStrayCharacters(text)) return 'The URL must not have control characters, or spaces around it.'
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#\\]/i.test(text) || !URL.canParse(text)) {
    return 'The URL must be absolute, such as https://photos.example/1.jpg.'
  }
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return 'The URL must not have credentials.'
  if (isAllowedSource(url, allow)) return null
  if (url.protocol !== 'https:') return 'The URL must start with https://.'
  if (url.port !== '') return `The URL names port ${url.port}. Only port 443 is allowed.`
  const host = hostOf(url)
  if (isIP(host) === 0 ? isInternalName(host) : !isPublicIp(host)) {
    return 'The URL points to an internal or reserved network. Use a public URL.'
  }
  return null
}

/** Whether the IP (canonical notation) is globally routable unicast. An IPv6 with an embedded IPv4 is not. */
export function isPublicIp(ip: string): boolean {
  if (isIP(ip) === 0) return false
  const parsed = ipaddr.parse(ip)
  if (parsed.range() !== 'unicast') return false
  if (parsed instanceof ipaddr.IPv6) return parsed.match(globalUnicast)
  return parsed.toString() !== azurePlatform
}

/** Whether this source may be private: the operator allows it, or it is the demonstration's own, which may use plain http. */
export function isAllowedSource(url: URL, allow: PhotoSourceAllow): boolean {
  const isOriginOf = (text: string) => URL.canParse(text) && new URL(text).origin === url.origin
  if (url.protocol === 'http:') return allow.origins.some(isOriginOf)
  if (url.protocol !== 'https:') return false
  return allow.origins.some(isOriginOf) || allow.hosts.some((host) => isOriginOf(`https://${host}`))
}

/** The host without the brackets of an IPv6, as resolvers and sockets expect it. */
export function hostOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
}

function isInternalName(host: string): boolean {
  const name = host.replace(/\.+$/, '')
  return name === '' || internalNames.some((internal) => name === internal || name.endsWith(`.${internal}`))
}

/**
 * What the address of a photo shows by itself (spec 'POST /properties/{id}/photos': addresses pointing to internal networks are
 * rejected). What a name resolves to, source.ts judges.
 */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Sources that may be private, on any port. Both empty in production. */
export type PhotoSourceAllow = {
  /** `host:port`, from PHOTO_SOURCE_ALLOW. */
  hosts: readonly string[]
  /** The service's own in demonstration mode, plain http as well: `http://127.0.0.1:3000`. */
  origins: readonly string[]
}

const maxAddressLength = 2_048
const internalNames = ['localhost', 'local', 'internal']
// Azure's platform service: an address of the public ranges that only virtual machines reach.
const azurePlatform = '168.63.129.16'
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** What is wrong with the address, as a sentence, or null when nothing shows. Opens no connection and resolves no name. */
export function checkPhotoAddress(address: string, allow: PhotoSourceAllow): string | null {
  if (address.length > maxAddressLength) return `The address is longer than ${maxAddressLength} characters.`
  // The URL parser drops these silently; what was meant is then anybody's guess.
  if (/\p{Cc}|^\s|\s$/u.test(address)) return 'The address has control characters, or spaces around it.'
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#\\]/i.test(address) || !URL.canParse(address)) {
    return 'This is not an absolute address, such as https://photos.example/1.jpg.'
  }
  const url = new URL(address)
  if (url.username !== '' || url.password !== '')
    return 'The address has credentials in it; use one that needs none.'
  if (isAllowedSource(url, allow)) return null
  if (url.protocol !== 'https:') return 'The address does not start with https://.'
  if (url.port !== '') return `The address names port ${url.port}; only 443, the one of https, is allowed.`
  const host = hostOf(url)
  if (isIP(host) === 0 ? isInternalName(host) : !isPublicAddress(host)) {
    return 'The address points to an internal or reserved network; use a public one.'
  }
  return null
}

/** Whether the IP address (canonical notation) is globally routable unicast. An IPv6 address with one of IPv4 embedded is not. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  if (parsed instanceof ipaddr.IPv6) return parsed.match(globalUnicast)
  return parsed.toString() !== azurePlatform
}

/** Whether the operator lets photos come from there even though it is private, or the demonstration's own and plain http. */
export function isAllowedSource(url: URL, allow: PhotoSourceAllow): boolean {
  const isOriginOf = (text: string) => URL.canParse(text) && new URL(text).origin === url.origin
  if (url.protocol === 'http:') return allow.origins.some(isOriginOf)
  if (url.protocol !== 'https:') return false
  return allow.origins.some(isOriginOf) || allow.hosts.some((host) => isOriginOf(`https://${host}`))
}

/** The host without the brackets of an IPv6 address: what resolvers and sockets take. */
export function hostOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
}

function isInternalName(host: string): boolean {
  const name = host.replace(/\.+$/, '')
  return name === '' || internalNames.some((internal) => name === internal || name.endsWith(`.${internal}`))
}

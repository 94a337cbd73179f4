/** Makes the names under which counters store IPs, emails and phone numbers. */
import { hash } from 'node:crypto'
import ipaddr from 'ipaddr.js'

/** The name under which an IP is counted: for IPv6 its whole /64, because one subscriber has that much. */
export function subjectOf(ip: string): string {
  // Some proxies add the port.
  const withPort = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(ip)
  const bare = withPort?.[1] ?? withPort?.[2] ?? ip
  if (!ipaddr.isValid(bare)) return 'unknown'
  const parsed = ipaddr.process(bare)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${(parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}

/** Counters store no IP, email or phone number as it is. */
export function hashed(text: string): string {
  return hash('sha256', text, 'base64url')
}

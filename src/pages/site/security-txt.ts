/**
 * security.txt: where to report a vulnerability (RFC 9116).
 */
import type { Config } from '../../platform/config/config.ts'
import { dayMs } from '../../platform/days.ts'

/** The RFC recommends less than a year. */
const validDays = 180

/** The whole file, valid for half a year from the day of `nowMs` on. */
export function securityText(
  { publicBaseUrl, securityContact }: Pick<Config, 'publicBaseUrl' | 'securityContact'>,
  nowMs: number,
): string {
  const expires = new Date((Math.floor(nowMs / dayMs) + validDays) * dayMs).toISOString()
  return [
    `Contact: ${securityContact ?? `${publicBaseUrl}/terms#contact`}`,
    `Expires: ${expires}`,
    'Preferred-Languages: es, en',
    `Canonical: ${publicBaseUrl}/.well-known/security.txt`,
    '',
  ].join('\n')
}

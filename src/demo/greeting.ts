/**
 * What a demonstration start prints: the address, who may sign in, a page to look at, a key to read and one to write, and a command to
 * paste.
 */
import { agencyUrl } from '../agencies/agencies.ts'
import type { Config } from '../config/config.ts'
import type { DemoKeys } from './keys.ts'

export function greeting({ publicBaseUrl, serviceName }: Config, keys: DemoKeys): string {
  return `
${serviceName} listens on ${publicBaseUrl}

  Documentation   ${publicBaseUrl}/docs
  Dashboard       ${publicBaseUrl}/dashboard
    agency        ${keys.owner.email}  ${keys.owner.password}
    operator      ${keys.operator.email}  ${keys.operator.password}
  Agency          ${keys.agency}
  Public page     ${agencyUrl(publicBaseUrl, keys.agency)}
  Key to read     ${keys.read}
  Key to write    ${keys.write}

Paste this into another terminal:

  curl -s -H "Authorization: Bearer ${keys.read}" "${publicBaseUrl}/api/v1/properties?per_page=3&fields=id,title,price"

Ctrl-C stops it. The data stays; the next start shows all this again.
`
}

/** The text of a demonstration start: URLs, sign-ins, keys, and a command to paste. */
import { agencyUrl } from '../../agencies/agencies.ts'
import type { Config } from '../../platform/config/config.ts'
import type { DemoKeys } from './keys.ts'

export function greeting({ publicBaseUrl, serviceName }: Config, keys: DemoKeys): string {
  const testLine = keys.test === undefined ? '' : `  Key to try      ${keys.test}\n`
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
${testLine}
Paste this into another terminal:

  curl -s -H "Authorization: Bearer ${keys.read}" "${publicBaseUrl}/api/v1/properties?per_page=3&fields=id,title,price"

Press Ctrl-C to stop. The data is kept, and the next start prints this again.
`
}

/**
 * Explains why a connection failed. `fetch` says only that it did, and hides the reason in nested causes.
 */

/** Node's codes. Other runtimes give only texts. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there, or it refuses connections',
  ENOTFOUND: 'no such host name is known',
  EAI_AGAIN: 'the host name cannot be looked up now',
  ECONNRESET: 'it was closed before the whole response arrived',
  UND_ERR_SOCKET: 'it was closed before the whole response arrived',
  EPIPE: 'it was closed before the whole response arrived',
  ETIMEDOUT: 'it could not be established in time',
  UND_ERR_CONNECT_TIMEOUT: 'it could not be established in time',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the host',
}

const certificate = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ISSUER/
const tls = /^ERR_(?:SSL|TLS)|^EPROTO$/

/** @returns a clause without a full stop: `no such host name is known (ENOTFOUND)` */
export function reasonOf(error: unknown): string {
  let innermost = error
  for (let depth = 0; depth < 5; depth += 1) {
    const { cause, errors } = Object(innermost) as { cause?: unknown; errors?: unknown[] }
    const next = cause ?? errors?.[0]
    if (next === undefined) break
    innermost = next
  }
  const { code, message } = Object(innermost) as { code?: unknown; message?: unknown }
  const text =
    typeof message === 'string' && message !== '' ? message.replace(/\.$/, '').trim() : 'unknown reason'
  if (typeof code !== 'string') return text
  const known = reasons[code]
  if (known !== undefined) return `${known} (${code})`
  if (certificate.test(code)) return `its TLS certificate is not trusted: ${text} (${code})`
  return tls.test(code) ? `TLS failed: is it https? (${code})` : `${text} (${code})`
}

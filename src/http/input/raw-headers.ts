/**
 * Reads the raw headers. Of a header that may be sent only once, Node silently keeps the first; only the raw headers show a duplicate.
 */
import type { IncomingMessage } from 'node:http'
import { invalid } from '../../platform/errors.ts'

/** How often a header was sent. @param name in lower case */
export function timesSent({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string): number {
  let times = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] as string
    // Lengths first: this runs on every request.
    if (sent.length === name.length && sent.toLowerCase() === name) times += 1
  }
  return times
}

/** Requires exactly one valid Host header (RFC 9112, 3.2). @throws ApiError `invalid_parameter` */
export function checkHost(request: IncomingMessage): void {
  const times = timesSent(request, 'host')
  // HTTP/1.0 does not require Host.
  if (times === 0 && request.httpVersion === '1.0') return
  if (times === 0) throw invalid('Host', 'The Host header is missing.')
  if (times > 1) throw invalid('Host', 'The Host header is sent more than once. Send it once.')
  if (/[\s/\\?#@,]/.test(request.headers.host ?? ''))
    throw invalid('Host', 'The Host header must be a host name with an optional port.')
}

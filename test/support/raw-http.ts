/**
 * Requests that fetch does not send: headers given twice, TRACE and WebDAV's methods, bodies in chunks or with nothing after the
 * headers.
 */
import { type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'

export type RawAnswer = { status: number; headers: IncomingHttpHeaders; text: string }

export type RawRequest = {
  method: string
  /** As it goes over the wire, with the query. */
  path: string
  /** A list of values goes as a header given so often. */
  headers?: Record<string, string | string[]>
  body?: string | Uint8Array
}

/** Sends exactly this; nothing is added but `Host`, `Connection` and `User-Agent`, and chunks where no length is given. */
export function rawRequest(
  baseUrl: string,
  { method, path, headers = {}, body }: RawRequest,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl)
  return new Promise((resolve, reject) => {
    const all = { 'user-agent': 'ListingTests/1.0 (tests@example.com)', ...headers }
    const sent = request({ host: hostname, port, method, path, headers: all, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      )
    })
    sent.on('error', reject)
    if (body !== undefined) sent.write(body)
    sent.end()
  })
}

/** Sends these lines and an empty one, keeps the connection open, and waits for the answer's headers and what came with them. */
export function sendLines(baseUrl: string, lines: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(baseUrl)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => {
      socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    })
    let text = ''
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
    socket.on('data', (chunk) => {
      text += chunk.toString()
      const [head = '', body] = text.split('\r\n\r\n')
      const length = /^content-length: (\d+)/im.exec(head)?.[1]
      if (body !== undefined && length !== undefined && Buffer.byteLength(body) >= Number(length))
        socket.destroy()
    })
  })
}

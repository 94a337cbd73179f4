/**
 * Requests that fetch cannot send: repeated headers, TRACE and WebDAV methods, chunked bodies, and bodies that are announced and never
 * sent.
 */
import { type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'

export type RawResponse = { status: number; headers: IncomingHttpHeaders; text: string }

type RawRequest = {
  method: string
  /** The request target as sent, with the query. */
  path: string
  /** A list of values is sent as a repeated header. */
  headers?: Record<string, string | string[]>
  body?: string | Uint8Array
}

/** Sends exactly this; adds only `Host`, `Connection` and `User-Agent`, and chunked encoding if no length is given. */
export function rawRequest(
  baseUrl: string,
  { method, path, headers = {}, body }: RawRequest,
): Promise<RawResponse> {
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

/** Sends these lines and an empty one, keeps the connection open, and waits for the response headers and any data that came with them. */
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

/** How long to wait for a server that expects more data. A shorter time would only cut off requests in progress. */
const patienceMs = 300

/**
 * Sends these bytes and nothing more, and collects the response until the server closes or the wait times out. It does not half-close the
 * connection, because Node would not respond then.
 */
export function exchange(baseUrl: string, bytes: Uint8Array): Promise<Buffer> {
  const { hostname, port } = new URL(baseUrl)
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(bytes))
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.setTimeout(patienceMs, () => socket.destroy())
    // A connection may be reset while data is still being sent: what arrived until then counts.
    socket.on('error', () => socket.destroy())
    socket.on('close', () => resolve(Buffer.concat(chunks)))
  })
}

/** Splits the bytes received on one connection into responses. Does not recognize responses to HEAD. */
export function readResponses(bytes: Buffer): RawResponse[] {
  const responses: RawResponse[] = []
  let rest = bytes
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) throw new Error(`half a response: ${rest.toString('latin1').slice(0, 200)}`)
    const [line = '', ...fields] = rest.subarray(0, end).toString('latin1').split('\r\n')
    const headers = Object.fromEntries(
      fields.map((field) => [
        field.slice(0, field.indexOf(':')).toLowerCase(),
        field.slice(field.indexOf(':') + 1).trim(),
      ]),
    )
    const start = end + 4
    const length = Number(headers['content-length'] ?? 0)
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
    responses.push({ status, headers, text: rest.subarray(start, start + length).toString() })
    rest = rest.subarray(start + length)
  }
  return responses
}

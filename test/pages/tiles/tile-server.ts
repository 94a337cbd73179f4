/** A local tile service: every tile is a distinct picture, and tests can override the responses. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'

type Respond = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

export type TileServer = {
  /** The value for MAP_TILES_URL. */
  url: string
  /** The requests, oldest first: `GET /4/5/9.png`. */
  asked: { path: string; headers: IncomingMessage['headers'] }[]
  /** Overrides responses from now on; null restores the default. */
  respondWith(respond: Respond | null): void
  close(): Promise<void>
}

/** Starts the server. Call `close` in `after`. */
export async function tileServer(): Promise<TileServer> {
  let other: Respond | null = null
  const asked: TileServer['asked'] = []
  const server = createServer((request, response) => {
    asked.push({ path: request.url ?? '', headers: request.headers })
    const respond: Respond = other ?? sendTile
    Promise.resolve(respond(request, response)).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/{z}/{x}/{y}.png?key=hunter2`,
    asked,
    respondWith: (respond) => void (other = respond),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function sendTile({ url = '' }: IncomingMessage, response: ServerResponse): Promise<void> {
  const [z = 0, x = 0, y = 0] = (url.match(/\d+/g) ?? []).map(Number)
  response
    .writeHead(200, {
      'content-type': 'image/png',
      'cache-control': 'max-age=604800',
      etag: `"${z}-${x}-${y}"`,
    })
    .end(await tilePicture(z, x, y))
}

/** Streets on paper, so that a screenshot looks like a map. */
export async function tilePicture(z: number, x: number, y: number): Promise<Buffer> {
  const side = 256
  const pixels = Buffer.alloc(side * side * 3)
  for (let row = 0; row < side; row += 1) {
    for (let column = 0; column < side; column += 1) {
      const isStreet = (row + y * 7) % 64 < 7 || (column + x * 5) % 64 < 7
      const isPark = (x + y + z) % 5 === 0 && row > 70 && row < 190 && column > 70 && column < 190
      const [r, g, b] = isStreet ? [255, 255, 255] : isPark ? [200, 226, 190] : [238, 234, 226]
      pixels.set([r, g, b], (row * side + column) * 3)
    }
  }
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer()
}

/**
 * A source of pictures on the loopback that can be made to wait, so that a kill finds downloads in hand.
 */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'

export type Pictures = {
  /** `host:port`, for PHOTO_SOURCE_ALLOW. */
  host: string
  /** Addresses of pictures that differ from all others. */
  addresses(count: number, name: string): string[]
  /** From now on nobody gets an answer; those of before go on with `release`. */
  hold(): void
  release(): void
  /** How many wait. */
  waiting(): number
  close(): Promise<void>
}

export async function servePictures(): Promise<Pictures> {
  let isHeld = false
  let waiting: { response: ServerResponse; path: string }[] = []

  const answer = async (response: ServerResponse, path: string): Promise<void> => {
    const hash = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(path)))
    const [r = 0, g = 0, b = 0] = hash
    const bytes = await sharp({ create: { width: 120, height: 80, channels: 3, background: { r, g, b } } })
      .withExif({ IFD0: { ImageDescription: hash.toString('hex') } })
      .jpeg()
      .toBuffer()
    response.writeHead(200, { 'content-type': 'image/jpeg' }).end(bytes)
  }
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    if (!isHeld) return void answer(response, path)
    const entry = { response, path }
    waiting.push(entry)
    response.once('close', () => {
      waiting = waiting.filter((other) => other !== entry)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    addresses: (count, name) =>
      Array.from({ length: count }, (_, index) => `http://${host}/${name}-${index}.jpg`),
    hold() {
      isHeld = true
    },
    release() {
      isHeld = false
      for (const { response, path } of waiting.splice(0)) void answer(response, path)
    },
    waiting: () => waiting.length,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

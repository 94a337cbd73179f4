/** A source of pictures on the loopback that can be made to wait, so that kills interrupt downloads. */
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { selfSigned } from '../../test/support/network/self-signed.ts'

export type Pictures = {
  /** Settings that let a service download from this source: it is allowed, and its certificate is trusted. */
  settings: { PHOTO_SOURCE_ALLOW: string; NODE_EXTRA_CA_CERTS: string }
  /** URLs of pictures that differ from all others. */
  addresses(count: number, name: string): string[]
  /** Leaves further requests unanswered until `release`, which responds to them. */
  hold(): void
  release(): void
  /** The number of waiting requests. */
  waiting(): number
  close(): Promise<void>
}

/** @param instead may respond itself, and returns whether it did */
export async function servePictures(
  instead: (path: string, response: ServerResponse) => boolean = () => false,
): Promise<Pictures> {
  let isHeld = false
  let waiting: { response: ServerResponse; path: string }[] = []

  const respond = async (response: ServerResponse, path: string): Promise<void> => {
    const hash = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(path)))
    const [r = 0, g = 0, b = 0] = hash
    const bytes = await sharp({ create: { width: 120, height: 80, channels: 3, background: { r, g, b } } })
      .withExif({ IFD0: { ImageDescription: hash.toString('hex') } })
      .jpeg()
      .toBuffer()
    response.writeHead(200, { 'content-type': 'image/jpeg' }).end(bytes)
  }
  const { key, cert } = selfSigned('127.0.0.1')
  const directory = mkdtempSync(join(tmpdir(), 'listings-pictures-'))
  const certificate = join(directory, 'certificate.pem')
  writeFileSync(certificate, cert)
  const server = createServer({ key, cert }, (request, response) => {
    const path = request.url ?? ''
    if (instead(path, response)) return
    if (!isHeld) return void respond(response, path)
    const entry = { response, path }
    waiting.push(entry)
    response.once('close', () => {
      waiting = waiting.filter((other) => other !== entry)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    settings: { PHOTO_SOURCE_ALLOW: host, NODE_EXTRA_CA_CERTS: certificate },
    addresses: (count, name) =>
      Array.from({ length: count }, (_, index) => `https://${host}/${name}-${index}.jpg`),
    hold() {
      isHeld = true
    },
    release() {
      isHeld = false
      for (const { response, path } of waiting.splice(0)) void respond(response, path)
    },
    waiting: () => waiting.length,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      rmSync(directory, { recursive: true })
    },
  }
}

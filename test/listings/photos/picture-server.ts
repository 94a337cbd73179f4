/** A source of pictures on the loopback, and a fake internet whose names all resolve to it. */
import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import type { PhotoSourceAllow } from '../../../src/listings/photos/check-url.ts'
import { PhotoFailure } from '../../../src/listings/photos/failure.ts'
import {
  openDownloader,
  type OpenSocket,
  type PhotoDownloader,
  type DownloadLimits,
} from '../../../src/listings/photos/download.ts'
import { databaseClock } from '../../../src/platform/time/clock.ts'

export const nothing: PhotoSourceAllow = { hosts: [], origins: [] }
export const publicIp = '93.184.216.34'

type PictureServer = { port: number; host: string; [Symbol.asyncDispose](): Promise<void> }

/** Listens on a free port of 127.0.0.1. */
export async function servePictures(listener: RequestListener): Promise<PictureServer> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    host: `127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Opened = { protocol: string; hostname: string; port: string; ips: readonly string[] }

/**
 * A downloader with scripted names, one list for each lookup of a name (the last one stays), and with sockets that reach the server without
 * TLS whatever the public IP. `opened` is every attempted connection, `resolved` every name looked up.
 */
export function spiedSource(
  server: PictureServer | null,
  names: Record<string, readonly (readonly string[])[]>,
  limits: Partial<DownloadLimits> = {},
): { source: PhotoDownloader; opened: Opened[]; resolved: string[] } {
  const opened: Opened[] = []
  const resolved: string[] = []
  const lookup = async (hostname: string): Promise<readonly string[]> => {
    const responses = names[hostname]
    if (responses === undefined)
      throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' })
    const asked = resolved.filter((name) => name === hostname).length
    resolved.push(hostname)
    return responses[Math.min(asked, responses.length - 1)] ?? []
  }
  const openSocket: OpenSocket = ({ protocol, hostname, port }, ips, callback) => {
    opened.push({ protocol, hostname, port, ips })
    if (server === null) {
      callback(new Error('nothing there'), null)
      return
    }
    const socket = connect(server.port, '127.0.0.1')
    socket.once('connect', () => callback(null, socket))
    socket.once('error', (error) => callback(error, null))
  }
  const source = openDownloader({
    clock: databaseClock,
    serviceName: 'Svc',
    publicBaseUrl: 'https://listings.example',
    limits,
    lookup,
    openSocket,
  })
  return { source, opened, resolved }
}

/** The reason why the download fails. */
export async function failure(download: Promise<unknown>): Promise<string> {
  const error: unknown = await download.then(
    () => null,
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof PhotoFailure, String(error))
  return error.message
}

/** Sources of photos on the loopback, reached as the service reaches them: each lookup of a name and each connection is a step. */
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { openDownloader, type OpenSocket } from '../../../src/listings/photos/download.ts'
import { type Picture, readPicture } from '../../../src/listings/photos/image.ts'
import { picture } from '../../support/app/app.ts'
import { publicIp, servePictures } from '../../listings/photos/picture-server.ts'
import { databaseClock } from '../../../src/platform/time/clock.ts'
import type { Steps } from './steps.ts'

/** While it is incomplete, some photos are missing and no address is found, which leaves warnings. */
export type World = { isComplete: boolean }

/** Each path has its own picture. @param world while it is incomplete, paths with `late` return 404 */
export async function faultySource(steps: Steps, world: World) {
  const pictures = new Map<string, Promise<Buffer>>()
  const server = await servePictures(async ({ url = '' }, response) => {
    if (url.includes('late') && !world.isComplete) return void response.writeHead(404).end()
    const drawn = pictures.get(url) ?? picture(url)
    pictures.set(url, drawn)
    response.end(await drawn)
  })
  const openSocket: OpenSocket = (_target, _ips, callback) => {
    const way = steps.take('fetch a photo')
    if (way === 'rejected') return callback(new Error('connect ECONNREFUSED'), null)
    const socket = connect(server.port, '127.0.0.1')
    socket.once('connect', () => callback(null, socket))
    socket.once('error', (error) => callback(error, null))
    if (way === 'cut before') socket.once('connect', () => socket.destroy())
    if (way === 'cut after') socket.once('data', () => socket.destroy())
  }
  const download = openDownloader({
    clock: databaseClock,
    serviceName: 'Svc',
    publicBaseUrl: 'https://listings.test',
    lookup: (_name, signal) => steps.run('resolve a name', async () => (signal.aborted ? [] : [publicIp])),
    openSocket,
  })
  return { download, close: () => server[Symbol.asyncDispose]() }
}

/** Decodes each picture once for all cases, because decoding takes ten times as long as the rest of a creation. */
export function readOnce(): typeof readPicture {
  const read = new Map<string, Promise<Picture>>()
  return (bytes, ...more) => {
    const hash = createHash('sha256').update(bytes).digest('hex')
    const known = read.get(hash) ?? readPicture(bytes, ...more)
    read.set(hash, known)
    return known
  }
}

/** Size and time limits of a download, and TLS (api.md 13.2: up to 10 MB each). */
import assert from 'node:assert/strict'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { openDownloader } from '../../../src/listings/photos/download.ts'
import { databaseClock } from '../../../src/platform/time/clock.ts'
import { failure, nothing, publicIp, servePictures, spiedSource } from './picture-server.ts'
import { selfSigned } from '../../support/network/self-signed.ts'

describe('a download within limits', () => {
  const full = 10_485_760
  const names = { 'photos.example': [[publicIp]] }

  test('accepts 10 MB and no byte more, whatever the announced length', async () => {
    for (const [length, announced, taken] of [
      [full, true, true],
      [full, false, true],
      [full + 1, false, false],
      [full * 4, false, false],
    ] as const) {
      await using server = await servePictures((_request, response) => {
        if (announced) response.setHeader('content-length', length)
        const piece = Buffer.alloc(1_048_576)
        for (let sent = 0; sent < length; sent += piece.length)
          response.write(piece.subarray(0, length - sent))
        response.end()
      })
      const { source } = spiedSource(server, names)
      const download = source('https://photos.example/1.jpg', nothing)
      if (taken) assert.equal((await download).length, length)
      else assert.equal(await failure(download), 'The picture is larger than 10 MB.')
    }
  })

  test('refuses a length over the limit before any of the body', async () => {
    await using server = await servePictures((_request, response) => {
      response.writeHead(200, { 'content-length': full + 1 })
      response.flushHeaders()
    })
    assert.equal(
      await failure(spiedSource(server, names).source('https://photos.example/1.jpg', nothing)),
      'The picture is larger than 10 MB.',
    )
  })

  test('does not trust a length that is too small', async () => {
    await using server = await servePictures((request) => {
      request.socket.end(
        Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n'), Buffer.alloc(full * 2)]),
      )
    })
    assert.equal((await spiedSource(server, names).source('https://photos.example/1.jpg', nothing)).length, 5)
  })

  test('times out on sources that do not respond, stall, or trickle, and on resolvers and sockets that hang', async () => {
    const slow = 'The source took too long to send the picture.'
    const url = 'https://photos.example/1.jpg'
    await using silent = await servePictures(() => {})
    assert.equal(await failure(spiedSource(silent, names, { totalMs: 60 }).source(url, nothing)), slow)
    assert.equal(await failure(spiedSource(silent, names, { headersMs: 60 }).source(url, nothing)), slow)
    await using stopping = await servePictures((_request, response) => void response.write('beginning'))
    assert.equal(await failure(spiedSource(stopping, names, { idleMs: 60 }).source(url, nothing)), slow)
    await using dribbling = await servePictures((_request, response) => {
      const drip = setInterval(() => response.write('.'), 5)
      response.on('close', () => clearInterval(drip))
    })
    assert.equal(await failure(spiedSource(dribbling, names, { totalMs: 100 }).source(url, nothing)), slow)

    const options = {
      clock: databaseClock,
      serviceName: 'Svc',
      publicBaseUrl: 'https://listings.example',
      limits: { totalMs: 60 },
    }
    const unresolved = openDownloader({ ...options, lookup: () => new Promise(() => {}) })
    const unconnected = openDownloader({ ...options, lookup: async () => [publicIp], openSocket: () => {} })
    // Their own timers do not keep the process alive.
    const alive = setInterval(() => {}, 1_000)
    assert.equal(await failure(unresolved(url, nothing)), slow)
    assert.equal(await failure(unconnected(url, nothing)), slow)
    clearInterval(alive)
  })

  test('stops when aborted, and closes the connection', async () => {
    const closed = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    await using server = await servePictures((request, response) => {
      response.write('beginning')
      request.socket.on('close', closed.resolve)
      arrived.resolve()
    })
    const controller = new AbortController()
    const download = spiedSource(server, names).source(
      'https://photos.example/1.jpg',
      nothing,
      controller.signal,
    )
    const refused = assert.rejects(download, { message: 'enough' })
    await arrived.promise
    controller.abort(new Error('enough'))
    await refused
    await closed.promise
    const { source, opened } = spiedSource(server, names)
    await assert.rejects(source('https://photos.example/1.jpg', nothing, controller.signal), {
      message: 'enough',
    })
    assert.deepEqual(opened, [])
  })
})

describe('a download over TLS', () => {
  test('needs a trusted certificate for that name', async () => {
    const { key, cert } = selfSigned('photos.invalid')
    const server = createServer({ key, cert }, (_request, response) => response.end('picture'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const source = openDownloader({
      clock: databaseClock,
      serviceName: 'Svc',
      publicBaseUrl: 'https://listings.example',
      lookup: async () => ['127.0.0.1'],
    })
    const allow = {
      hosts: [`photos.invalid:${port}`, `other.invalid:${port}`, `127.0.0.1:${port}`],
      origins: [],
    }
    const refused = 'The source has no valid TLS certificate.'
    const trusted = getCACertificates('default')
    try {
      assert.equal(await failure(source(`https://photos.invalid:${port}/`, allow)), refused)
      setDefaultCACertificates([...trusted, cert])
      assert.equal((await source(`https://photos.invalid:${port}/`, allow)).toString(), 'picture')
      assert.equal(await failure(source(`https://other.invalid:${port}/`, allow)), refused)
      assert.equal(await failure(source(`https://127.0.0.1:${port}/`, allow)), refused)
    } finally {
      setDefaultCACertificates(trusted)
      server.close()
      server.closeAllConnections()
    }
  })
})

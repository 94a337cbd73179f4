/** A clean close: running requests finish; idle connections are cut. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { rawRequest } from '../../support/network/raw-http.ts'

async function open(t: TestApp, text = ''): Promise<Socket> {
  const { hostname, port } = new URL(t.baseUrl)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => {})
  await once(socket, 'connect')
  if (text !== '') socket.write(text)
  return socket
}

/** Waits until the connection is reset or closed. */
const cut = (socket: Socket) =>
  new Promise<void>((resolve) => {
    socket.resume().once('close', () => resolve())
  })

describe('closing the server', () => {
  test('cuts connections that are idle, have sent nothing, or are in the middle of a header', async () => {
    const t = await testApp()
    const request = `GET /api/v1/health HTTP/1.1\r\nHost: x\r\n\r\n`
    const kept = await open(t, request)
    await once(kept, 'data')
    const sockets = [
      kept,
      await open(t),
      await open(t, 'GET /api/v1/he'),
      await open(t, 'GET /api/v1/health HTTP/1.1\r\nHost: x\r\n'),
      await open(t, `POST /api/v1/properties HTTP/1.1\r\nHo`),
    ]
    const closed = Promise.all(sockets.map(cut))
    await t.close()
    await closed
  })

  test('finishes running requests and accepts no new ones', async () => {
    let release = (): void => {}
    let asked = (): void => {}
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve
    })
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const t = await testApp({
      geocoder: async () => {
        asked()
        await released
        return null
      },
    })
    const idle = await open(t)
    const running = t.ask('POST', '/geocode', { body: { address: 'Calle 48 1234' } })
    await isAsked
    const closing = t.close()
    const late = rawRequest(t.baseUrl, { method: 'GET', path: '/api/v1/health' })
    await assert.rejects(late, /ECONNREFUSED|ECONNRESET|socket hang up/).finally(release)
    assert.equal((await running).status, 200)
    await closing
    if (!idle.destroyed) await cut(idle)
  })

  test('ends at once if there was never a connection', async () => {
    const t = await testApp()
    await t.close()
  })
})

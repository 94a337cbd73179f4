/** A clean close: which connections it waits for. The close of the whole server under load is in chaos/processes/stops.test.ts. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { photoUrls, picture, testApp } from '../../support/app/app.ts'

/** Opens a connection and sends the text. */
async function sent(baseUrl: string, text: string): Promise<Socket> {
  const { hostname, port } = new URL(baseUrl)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.resume().write(text)
  return socket
}

test('closing waits for running requests, but not for one never sent, half sent, or aborted by its client', async () => {
  const arrived = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const t = await testApp({
    source: async (address) => {
      arrived.resolve()
      await released.promise
      return picture(address)
    },
  })
  const head = (length: number) =>
    `POST /api/v1/properties HTTP/1.1\r\nhost: x\r\nuser-agent: A/1.0 (a@b.example)\r\nx-api-key: ${t.writeKey}\r\nidempotency-key: ${randomUUID()}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`
  const running = t.ask('POST', '/properties', { body: { photos: photoUrls(1) } })
  await arrived.promise
  const body = JSON.stringify({ photos: photoUrls(1) })
  const sockets = [
    await sent(t.baseUrl, ''),
    await sent(t.baseUrl, 'GET /api/v1/health HT'),
    await sent(t.baseUrl, `${head(100)}{"title": `),
    // Two pipelined behind a slow one.
    await sent(t.baseUrl, `${head(body.length)}${body}`.repeat(3)),
  ]
  sockets.at(-1)?.destroy()

  const closing = t.close()
  released.resolve()
  assert.equal((await running).status, 201)
  await closing
  await Promise.all(sockets.map((socket) => socket.closed || once(socket, 'close')))
})

/**
 * Responses that the client does not read: the connection has a timeout only while a response is being sent.
 * chaos/clients/slow.test.ts tests that it is closed in the end.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { giveUpOnUnread } from '../../../src/http/connections/unread.ts'

test('the timeout runs while a response is sent, pipelined or not', async () => {
  const keepAlive = 10_000
  const responses: ServerResponse[] = []
  const server = createServer({ keepAliveTimeout: keepAlive }, (_request, response) => {
    responses.push(response)
    server.emit('arrived')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const arrive = async (count: number) => {
    while (responses.length < count) await once(server, 'arrived')
  }
  client.resume().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3))
  const [socket] = await accepted
  await arrive(3)
  const [first, second, third] = responses
  assert.ok(first && second && third)
  assert.ok(!socket.timeout)

  // The second is ready first, and has to wait.
  giveUpOnUnread(second)
  second.write('b')
  assert.ok(!socket.timeout)
  giveUpOnUnread(first)
  first.write('a')
  const isWatched = () => Number(socket.timeout) > 0 && Number(socket.timeout) < keepAlive
  assert.ok(isWatched())
  first.end()
  await once(first, 'finish')
  assert.ok(isWatched())
  second.end()
  await once(second, 'finish')
  // The third one is slow.
  assert.equal(socket.timeout, 0)
  giveUpOnUnread(third)
  third.end('c')
  await once(third, 'finish')
  assert.ok(Number(socket.timeout) >= keepAlive)
  client.destroy()
  server.close()
  await once(server, 'close')
})

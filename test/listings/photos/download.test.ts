/** Downloads from untrusted URLs (api.md 13.1). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openDownloader, type PhotoDownloader } from '../../../src/listings/photos/download.ts'
import { databaseClock } from '../../../src/platform/time/clock.ts'
import { failure, nothing, publicIp, servePictures, spiedSource } from './picture-server.ts'

const refusedName = 'The host of the URL has no public IP address.'

const plainSource = (): PhotoDownloader =>
  openDownloader({ clock: databaseClock, serviceName: 'Svc', publicBaseUrl: 'https://listings.example' })

describe('a download', () => {
  test('sends one plain request, and returns the bytes', async () => {
    const requests: { method?: string; url?: string; headers: Record<string, unknown> }[] = []
    await using server = await servePictures((request, response) => {
      requests.push({ method: request.method, url: request.url, headers: request.headers })
      response.setHeader('set-cookie', 'a=1')
      response.end('picture')
    })
    const { source, opened } = spiedSource(server, { 'photos.example': [[publicIp, '2606:4700::1111']] })
    for (let time = 0; time < 2; time++) {
      assert.equal((await source('https://photos.example/a b.jpg?x=1#y', nothing)).toString(), 'picture')
    }
    const expected = {
      protocol: 'https:',
      hostname: 'photos.example',
      port: '',
      ips: [publicIp, '2606:4700::1111'],
    }
    assert.deepEqual(opened, [expected, expected])
    for (const { method, url, headers } of requests) {
      assert.deepEqual([method, url], ['GET', '/a%20b.jpg?x=1'])
      assert.deepEqual(headers, {
        host: 'photos.example',
        connection: 'close',
        accept: 'image/jpeg, image/png, image/webp',
        'accept-encoding': 'identity',
        'user-agent': 'Svc/1 (photos of property listings; +https://listings.example/)',
      })
    }
  })

  test('requires status 200', async () => {
    for (const status of [201, 204, 206, 300, 304, 400, 403, 404, 429, 500, 503]) {
      await using server = await servePictures((_request, response) => response.writeHead(status).end())
      const { source } = spiedSource(server, { 'photos.example': [[publicIp]] })
      assert.equal(
        await failure(source('https://photos.example/1.jpg', nothing)),
        `The source answered with status ${status} instead of a picture.`,
      )
    }
  })

  test('reports a source that is unreachable, sends garbage or disconnects', async () => {
    const broken = 'The source could not be reached, or the connection broke.'
    assert.equal(
      await failure(
        spiedSource(null, { 'photos.example': [[publicIp]] }).source('https://photos.example/', nothing),
      ),
      broken,
    )
    for (const response of [
      'SSH-2.0-OpenSSH\r\n',
      'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort',
    ]) {
      await using server = await servePictures((request) => request.socket.end(response))
      const { source } = spiedSource(server, { 'photos.example': [[publicIp]] })
      assert.equal(await failure(source('https://photos.example/1.jpg', nothing)), broken, response)
    }
  })

  test('reaches the service itself if allowed, over plain http, by IP and by name', async () => {
    await using server = await servePictures((_request, response) => response.end('picture'))
    const byAddress = `http://${server.host}/1.jpg`
    const own = { hosts: [], origins: [`http://${server.host}`, `http://localhost:${server.port}`] }
    assert.equal((await plainSource()(byAddress, own)).toString(), 'picture')
    // A name of the local system, which is not in DNS.
    assert.equal((await plainSource()(`http://localhost:${server.port}/1.jpg`, own)).toString(), 'picture')
    assert.match(await failure(plainSource()(byAddress, nothing)), /https/)
    assert.match(await failure(plainSource()(byAddress, { hosts: [server.host], origins: [] })), /https/)
    // No resolver knows this name: the socket can only have used the IPs that were checked.
    const named = openDownloader({
      clock: databaseClock,
      serviceName: 'Svc',
      publicBaseUrl: 'https://listings.example',
      lookup: async () => ['127.0.0.1'],
    })
    const allow = { hosts: [], origins: [`http://photos.invalid:${server.port}`] }
    assert.equal((await named(`http://photos.invalid:${server.port}/1.jpg`, allow)).toString(), 'picture')
  })
})

describe('photo URLs of internal networks', () => {
  test('are refused before anything is resolved or connected', async () => {
    const { source, opened, resolved } = spiedSource(null, {})
    for (const url of [
      'http://photos.example/',
      'https://127.0.0.1/',
      'https://2130706433/',
      'https://[::ffff:a00:1]/',
      'https://localhost/',
      'https://photos.example:8443/',
      'https://u:p@photos.example/',
      'file:///etc/passwd',
      'nonsense',
    ]) {
      await failure(source(url, nothing))
    }
    assert.deepEqual([opened, resolved], [[], []])
  })

  test('are refused when a name resolves to them, alone or among public ones, without revealing the IP', async () => {
    const responses: Record<string, readonly string[]> = {
      loopback: ['127.0.0.1'],
      loopback6: ['::1'],
      private: ['10.1.2.3'],
      metadata: ['169.254.169.254'],
      carrier: ['100.64.0.1'],
      unspecified: ['0.0.0.0'],
      mapped: ['::ffff:10.1.2.3'],
      nat64: ['64:ff9b::a01:203'],
      sixToFour: ['2002:a01:203::1'],
      local: ['fd12:3456::1'],
      linkLocal: ['fe80::1'],
      azure: ['168.63.129.16'],
      mixed: [publicIp, '10.1.2.3'],
      mixedFirst: ['10.1.2.3', publicIp],
      mixed6: [publicIp, '::1'],
      none: [],
      garbage: ['not a URL'],
    }
    const names = Object.fromEntries(
      Object.entries(responses).map(([name, list]) => [`${name.toLowerCase()}.example`, [list]]),
    )
    const { source, opened } = spiedSource(null, names)
    for (const name of [...Object.keys(names), 'unknown.example']) {
      assert.equal(await failure(source(`https://${name}/1.jpg`, nothing)), refusedName, name)
    }
    assert.deepEqual(opened, [])
  })

  test('are not reached by a name whose IPs change', async () => {
    await using server = await servePictures((request, response) => {
      if (request.url === '/again') response.writeHead(302, { location: '/picture' }).end()
      else response.end('picture')
    })
    const { source, opened, resolved } = spiedSource(server, {
      'rebind.example': [[publicIp], ['127.0.0.1']],
    })
    assert.equal((await source('https://rebind.example/picture', nothing)).toString(), 'picture')
    assert.deepEqual(resolved, ['rebind.example'])
    assert.deepEqual(
      opened.map(({ ips }) => ips),
      [[publicIp]],
    )

    const twice = spiedSource(server, { 'rebind.example': [[publicIp], ['127.0.0.1']] })
    assert.equal((await twice.source('https://rebind.example/again', nothing)).toString(), 'picture')
    assert.deepEqual(
      twice.opened.map(({ ips }) => ips),
      [[publicIp], [publicIp]],
    )
  })
})

describe('redirects of a download', () => {
  test('are followed three times, each name resolved once', async () => {
    await using server = await servePictures((request, response) => {
      const step = Number(request.url?.slice(1))
      const targets = ['//b.example/1', '/2', 'https://a.example/3']
      const statuses = [301, 307, 308]
      if (step === 3) response.end(`picture of ${request.headers.host}`)
      else response.writeHead(statuses[step] ?? 500, { location: targets[step] }).end('moved')
    })
    const { source, opened, resolved } = spiedSource(server, {
      'a.example': [[publicIp]],
      'b.example': [['2606:4700::1111']],
    })
    assert.equal((await source('https://a.example/0', nothing)).toString(), 'picture of a.example')
    assert.deepEqual(resolved, ['a.example', 'b.example'])
    assert.deepEqual(
      opened.map(({ hostname }) => hostname),
      ['a.example', 'b.example', 'b.example', 'a.example'],
    )
  })

  test('are not followed forever', async () => {
    let requests = 0
    await using server = await servePictures((_request, response) => {
      requests += 1
      response.writeHead(302, { location: `/${requests}` }).end()
    })
    const { source } = spiedSource(server, { 'a.example': [[publicIp]] })
    assert.equal(
      await failure(source('https://a.example/', nothing)),
      'The source redirects more than 3 times.',
    )
    assert.equal(requests, 4)
  })

  test('are checked like the first URL', async () => {
    const targets: Record<string, RegExp> = {
      'http://photos.example/1.jpg': /refused URL.*https/,
      'https://photos.example:8443/1.jpg': /port 8443/,
      'https://user:secret@photos.example/1.jpg': /credentials/,
      'https://127.0.0.1/': /internal/,
      'https://169.254.169.254/latest/meta-data/': /internal/,
      'https://0x7f.1/': /internal/,
      'https://[::1]/': /internal/,
      'https://[64:ff9b::7f00:1]/': /internal/,
      'https://metadata.google.internal/': /internal/,
      'file:///etc/passwd': /refused URL/,
      'https://inside.example/': /no public IP address/,
    }
    for (const [location, reason] of Object.entries(targets)) {
      await using server = await servePictures((_request, response) =>
        response.writeHead(302, { location }).end(),
      )
      const { source, opened } = spiedSource(server, {
        'photos.example': [[publicIp]],
        'inside.example': [['10.0.0.1']],
      })
      assert.match(await failure(source('https://photos.example/1.jpg', nothing)), reason, location)
      assert.equal(opened.length, 1, location)
    }
  })

  test('need exactly one target', async () => {
    const targets: Record<string, string | string[]>[] = [
      {},
      { location: 'https://' },
      { location: ['/1', '/2'] },
    ]
    for (const headers of targets) {
      await using server = await servePictures((_request, response) => response.writeHead(302, headers).end())
      const { source } = spiedSource(server, { 'photos.example': [[publicIp]] })
      assert.equal(
        await failure(source('https://photos.example/', nothing)),
        'The source redirects without a Location header.',
      )
    }
  })
})

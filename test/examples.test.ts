/**
 * The programs of examples/ do what they say, in each language that this machine has, against the service as it is.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { type TestApp, testApp } from './support/app.ts'
import { surroundings } from './support/server.ts'

let test: TestApp
let proxy: Awaited<ReturnType<typeof droppingProxy>>
before(async () => {
  test = await testApp()
  proxy = await droppingProxy(test.baseUrl)
})
after(async () => {
  proxy.close()
  await test.close()
})

const examples = join(import.meta.dirname, '../examples')
const languages = [
  {
    name: 'TypeScript',
    folder: 'typescript',
    command: process.execPath,
    file: (name: string) => `${name}.ts`,
  },
  { name: 'PHP', folder: 'php', command: 'php', file: (name: string) => `${name}.php` },
  {
    name: 'Python',
    folder: 'python',
    command: 'python3',
    file: (name: string) => `${name.replaceAll('-', '_')}.py`,
  },
] as const

for (const language of languages) {
  const isThere = spawnSync(language.command, ['--version']).status === 0
  const skip = isThere ? false : `${language.command} is not installed`

  describe(language.name, { skip, concurrency: true }, () => {
    const run = (program: string, words: readonly string[], settings: Record<string, string>) =>
      ended(start(language, program, words, settings))

    it('signs every attempt anew, and keeps the Idempotency-Key', async () => {
      const { agency } = await test.newAgency()
      const key = await test.newKey(agency.id, { scopes: ['properties:write'], signature_required: true })
      const settings = {
        SVC_BASE_URL: proxy.url,
        SVC_API_KEY: key.key,
        SVC_SIGNING_SECRET: key.signing_secret ?? '',
      }
      const target = `/api/v1/properties/external/SIGNED-${language.folder}`
      const written = await run('api', ['PUT', target, '{"title": "Casa con jardín"}'], settings)
      assert.equal(written.code, 0, written.stderr)
      assert.equal(JSON.parse(written.stdout).data.title, 'Casa con jardín')

      // The answer to the first attempt was dropped; the second got the same one.
      const attempts = proxy.seen(target)
      assert.deepEqual(
        attempts.map(({ status }) => status),
        [201, 201],
      )
      assert.equal(new Set(attempts.map(({ headers }) => headers['x-svc-signature'])).size, 2)
      assert.equal(new Set(attempts.map(({ headers }) => headers['idempotency-key'])).size, 1)

      const refused = await run('api', ['GET', '/api/v1/properties/NOTTHERE'], settings)
      assert.equal(refused.code, 1)
      assert.match(refused.stderr, /404 not_found: /)
    })
  })
}

type Language = (typeof languages)[number]

function start(
  { folder, command, file }: Language,
  program: string,
  words: readonly string[],
  settings: Record<string, string>,
): ChildProcess {
  return spawn(command, [join(examples, folder, file(program)), ...words], {
    env: { ...surroundings, PYTHONDONTWRITEBYTECODE: '1', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function ended(child: ChildProcess) {
  assert.ok(child.stdout !== null && child.stderr !== null)
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ])
  return { code, stdout, stderr }
}

/** A proxy that drops the answer to the first attempt of every write. */
async function droppingProxy(to: string) {
  const requests: { target: string; headers: IncomingHttpHeaders; status: number }[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url: target = '', headers } = request
    const body = await text(request)
    const answer = await fetch(to + target, {
      method,
      headers: Object.entries(headers).filter(
        ([name]) => !['host', 'connection', 'content-length'].includes(name),
      ) as [string, string][],
      ...(body === '' ? {} : { body }),
    })
    const isFirst = method !== 'GET' && !requests.some((earlier) => earlier.target === target)
    requests.push({ target, headers, status: answer.status })
    if (isFirst) return void response.destroy()
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: (target: string) => requests.filter((request) => request.target === target),
    close: () => void server.close().closeAllConnections(),
  }
}

/** The samples of the reference, run exactly as printed if their language is installed. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import {
  samplesOf,
  type SampleLanguage,
  type SampleRequest,
} from '../../../src/platform/web/request-samples.ts'
import { quickDirectory } from '../../support/quick-directory.ts'

type Seen = { method: string; url: string; key: string; agent: string; idempotency: string; body: unknown }

const directory = mkdtempSync(join(quickDirectory(), 'listings-samples-'))
let server: Server
let seen: Seen[] = []
before(async () => {
  server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    seen.push({
      method,
      url,
      key: String(headers.authorization),
      agent: String(headers['user-agent']),
      idempotency: String(headers['idempotency-key']),
      body: headers['content-type'] === 'application/json' ? await json(request) : null,
    })
    response.setHeader('content-type', 'application/json').end('{"data": {"title": "Casa"}}')
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
})
after(() => {
  server.close()
  rmSync(directory, { recursive: true })
})

const there = (command: string, ...words: string[]) => spawnSync(command, words).status === 0
const commands: Record<SampleLanguage, { file: string; command: string; isThere: () => boolean }> = {
  curl: { file: 'a.sh', command: 'sh', isThere: () => there('curl', '--version') },
  ts: { file: 'a.ts', command: process.execPath, isThere: () => true },
  php: {
    file: 'a.php',
    command: 'php',
    isThere: () => there('php', '-r', 'exit(function_exists("curl_init") ? 0 : 1);'),
  },
  python: { file: 'a.py', command: 'python3', isThere: () => there('python3', '--version') },
}

const body = {
  external_id: 'CRM-1042',
  title: `"L'Étoile" y \\ 100 % $HOME`,
  description: 'Dos\nlíneas $x {$y}',
  price: { amount: 128500.5, on_request: false, currency: null },
  amenities: ['Balcón', 'Ascensor', 'Parrilla con quincho', 'Solárium en la terraza'],
  nothing: [],
}

for (const [language, { file, command, isThere }] of Object.entries(commands)) {
  const skip = isThere() ? false : `${command} is not there, or lacks what it needs`
  test(`the ${language} sample sends what it shows`, { skip }, async () => {
    const { port } = server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/api/v1/properties?city=Buenos%20Aires&fields=id,title`
    seen = []
    const requests: SampleRequest[] = [
      { method: 'POST', url, headers: { 'Idempotency-Key': 'crm-1042-create-1' }, body, needsKey: true },
      { method: 'GET', url, headers: {}, needsKey: true },
      { method: 'GET', url, headers: {}, needsKey: true, key: 'svc_test_2' },
    ]
    for (const request of requests) {
      const sample = samplesOf(request)[language as SampleLanguage]
      writeFileSync(join(directory, file), sample)
      const text = await new Promise<string>((resolve, reject) => {
        const env = { ...process.env, SVC_API_KEY: 'svc_test_1' }
        execFile(command, [join(directory, file)], { env }, (error, stdout) =>
          error === null ? resolve(stdout) : reject(error),
        )
      })
      assert.match(text, /Casa/)
    }
    const common = {
      url: new URL(url).pathname + new URL(url).search,
      key: 'Bearer svc_test_1',
      agent: 'AcmeCRM/2.3 (+https://acme.example; dev@acme.example)',
    }
    assert.deepEqual(seen, [
      { method: 'POST', ...common, idempotency: 'crm-1042-create-1', body },
      { method: 'GET', ...common, idempotency: 'undefined', body: null },
      { method: 'GET', ...common, key: 'Bearer svc_test_2', idempotency: 'undefined', body: null },
    ])
  })
}

/** During an outage the log has the first rejection, not a line for each. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { buildApp } from '../../../src/app.ts'
import { DatabaseAway } from '../../../src/platform/db/presence/presence.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'

let t: TestApp
let app: FastifyInstance
const lines: { msg: string }[] = []
let failure: Error | null = null
before(async () => {
  t = await testApp()
  const { admit } = t.deps
  const deps = {
    ...t.deps,
    admit: async (...asked: Parameters<typeof admit>) => {
      if (failure !== null) throw failure
      return await admit(...asked)
    },
  }
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })
  app = await buildApp(deps, log)
})
after(() => t.close())

test('an outage is logged with its first refusal, whatever follows', async () => {
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const ask = async (times: number, expected: number): Promise<void> => {
    for (let turn = 0; turn < times; turn += 1) {
      const response = await fetch(`${url}/api/v1/me`, { headers: { 'x-api-key': t.readKey } })
      assert.equal(response.status, expected, await response.text())
    }
  }
  await ask(3, 200)
  failure = new DatabaseAway()
  await ask(100, 503)
  // Another cause is logged as well.
  failure = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })
  await ask(100, 503)
  failure = null
  await ask(3, 200)
  await app.close()
  const times = (msg: string) => lines.filter((line) => line.msg === msg).length
  assert.equal(times('request refused'), 2)
  assert.equal(times('request'), 3 + 2 + 3)
})

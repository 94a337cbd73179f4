/** A second instance of the application on the same database: nothing in memory is shared with the first. */
import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { buildApp } from '../../src/app.ts'
import { apiPrefix } from '../../src/http/routes.ts'
import { admission } from '../../src/access/keys/admission.ts'
import { keylessLimit } from '../../src/limits/keyless.ts'
import type { Answer, TestApp } from '../support/app/app.ts'

export type SecondInstance = {
  ask(method: string, path: string, options: { key: string; body?: unknown }): Promise<Answer>
  close(): Promise<void>
}

export async function secondInstance(t: TestApp): Promise<SecondInstance> {
  const { db, config } = t.deps
  const app = await buildApp(
    {
      ...t.deps,
      admit: admission(db, config.limits, t.clock),
      chargeKeyless: keylessLimit(db, config.limits, t.clock),
    },
    pino({ level: 'silent' }),
  )
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    async ask(method, path, { key, body }) {
      const request: RequestInit = {
        method,
        headers: {
          'x-api-key': key,
          'user-agent': 'ListingTests/1.0 (tests@example.com)',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
        },
      }
      if (body !== undefined) request.body = JSON.stringify(body)
      const response = await fetch(`${baseUrl}${apiPrefix}${path}`, request)
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
    },
    close: () => app.close(),
  }
}

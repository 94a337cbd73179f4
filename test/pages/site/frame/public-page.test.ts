/** Errors on a public page are shown as a page, in general terms. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fastify, { type FastifyInstance } from 'fastify'
import type { SecretBox } from '../../../../src/access/secrets/secret-box.ts'
import { readConfig } from '../../../../src/platform/config/config.ts'
import type { Db } from '../../../../src/platform/db/database.ts'
import { ApiError } from '../../../../src/platform/errors/errors.ts'
import { countRefusals } from '../../../../src/http/responses/error-handler.ts'
import { type PublicPage, registerPublicPages } from '../../../../src/pages/site/frame/public-page.ts'
import { openSite } from '../../../../src/pages/site/frame/site.ts'

let app: FastifyInstance
before(async () => {
  app = fastify()
  countRefusals(app)
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const config = readConfig({})
  const site = await openSite({
    config,
    db: {} as Db,
    replica: null,
    clock: { offsetMs: 0 },
    limits: config.limits,
    blurredPlace: (lat, lng) => ({ lat, lng, radius: 0 }),
    log,
    mailer: null,
    secretBox: {} as SecretBox,
    storedSecrets: { stored: 0, unreadable: 0 },
    visits: { count: () => {}, flush: async () => {} },
  })
  const failing = (path: string, error: Error): PublicPage => ({
    method: 'GET',
    path,
    handle: async () => {
      throw error
    },
  })
  await registerPublicPages(app, site, [
    failing('/broken', new Error('select secret from <b>somewhere</b>')),
    failing(
      '/down',
      Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' }),
    ),
    failing('/missing', new ApiError('not_found')),
  ])
})
after(() => app.close())

test('an unexpected error of a page is shown with the number to report, and without details', async () => {
  for (const [path, language, said] of [
    ['/broken', 'es-AR', 'Algo salió mal'],
    ['/en/broken', 'en-US', 'Something went wrong'],
  ] as const) {
    const response = await app.inject(path)
    assert.equal(response.statusCode, 500)
    assert.equal(response.headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(response.headers['cache-control'], 'no-store')
    assert.match(response.body, new RegExp(`<html lang="${language}">`))
    assert.match(response.body, new RegExp(said))
    assert.match(response.body, /req-/)
    assert.doesNotMatch(response.body, /secret|somewhere/)
    assert.ok(response.headers['content-security-policy'])
  }
})

test('without its database the service shows when to try again', async () => {
  const response = await app.inject('/down')
  assert.deepEqual([response.statusCode, response.headers['retry-after']], [503, '5'])
  assert.match(response.body, /Algo salió mal/)
})

test('a missing page is shown as not found', async () => {
  const response = await app.inject('/missing')
  assert.equal(response.statusCode, 404)
  assert.match(response.body, /No encontramos esta página/)
})

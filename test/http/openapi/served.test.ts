/** `GET /api/v1/openapi.json` on a running service: open to every site, and with that service's own name and URL. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { endpoints } from '../../../src/api/endpoints.ts'
import { openApi } from '../../../src/http/openapi/document.ts'
import { testApp, type TestApp } from '../../support/app/app.ts'

let service: TestApp
before(async () => {
  service = await testApp({ env: { SERVICE_NAME: 'Svc', PUBLIC_BASE_URL: 'https://listings.test' } })
})
after(() => service.close())

test('the OpenAPI document is served without a key, with the name and address of this service', async () => {
  const response = await service.ask('GET', '/openapi.json', { key: null })
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.deepEqual(
    response.body,
    openApi(endpoints, { serviceName: 'Svc', baseUrl: 'https://listings.test' }),
  )
})

test('the OpenAPI document can be read from any site', async () => {
  const response = await service.ask('GET', '/openapi.json', {
    key: null,
    headers: { origin: 'https://tools.example' },
  })
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('access-control-allow-origin'), '*')
})

test('the OpenAPI document responds to HEAD too, and to no other methods', async () => {
  assert.equal((await service.ask('HEAD', '/openapi.json', { key: null })).status, 200)
  const refused = await service.ask('POST', '/openapi.json', { key: null })
  assert.equal(refused.status, 405)
  assert.equal(refused.headers.get('allow'), 'GET, HEAD')
})

/**
 * The crawler gate (api.md 1.3): crawlers and AI agents are rejected with or without a key, integrations never. A client without a key has
 * to send a User-Agent.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { ApiError } from '../../../src/platform/errors/errors.ts'
import { aiAgentNames, crawlerNames } from '../../../src/http/admission/ai-agents.ts'
import { crawlerGate, crawlerPatterns } from '../../../src/http/admission/crawlers.ts'
import { type Subject, subjects } from '../../api/support/every-endpoint.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { refused } from '../../support/app/listings.ts'
import { rawRequest, sendLines } from '../../support/network/raw-http.ts'
import { crawlers, integrations } from './user-agents.ts'

const gate = crawlerGate({ allow: [], deny: [] })

function passes(userAgent: string | undefined, hasKey = true, through = gate): boolean {
  try {
    through(userAgent, hasKey)
    return true
  } catch (error) {
    assert.ok(error instanceof ApiError && error.code === 'forbidden')
    // The message says what to send.
    assert.match(
      error.message,
      /User-Agent.*name.*version.*contact.*AcmeCRM\/2\.3 \(\+https:\/\/acme\.example; dev@acme\.example\)/,
    )
    return false
  }
}

/** The gate without its combined expression: tries each published pattern, and each name as a word. */
function isKnownOneByOne(userAgent: string): boolean {
  const isListed = crawlerPatterns.some((pattern) => {
    const start = pattern.startsWith('^') ? '' : '(?<![A-Za-z0-9])'
    const end = /[A-Za-z]$/.test(pattern) ? '(?![a-z]|[A-Z]{2})' : ''
    return new RegExp(start + pattern + end).test(userAgent)
  })
  const lower = userAgent.toLowerCase()
  const isAlphanumeric = (character = '') => /[a-z0-9]/.test(character)
  const isNamed = [...aiAgentNames, ...crawlerNames].some((name) => {
    for (
      let at = lower.indexOf(name.toLowerCase());
      at !== -1;
      at = lower.indexOf(name.toLowerCase(), at + 1)
    ) {
      if (!isAlphanumeric(lower[at - 1]) && !isAlphanumeric(lower[at + name.length])) return true
    }
    return false
  })
  return isListed || isNamed
}

describe('the crawler gate', () => {
  test('refuses sixty crawlers and AI agents, in any case, with a key or without', () => {
    assert.ok(new Set(crawlers).size >= 60)
    for (const hasKey of [true, false]) {
      const passing = crawlers.filter((name) => passes(name, hasKey))
      assert.deepEqual(passing, [])
    }
  })

  test('admits sixty integrations, tools and browsers, with a key or without', () => {
    assert.ok(new Set(integrations).size >= 60)
    for (const hasKey of [true, false]) {
      const stopped = integrations.filter((name) => !passes(name, hasKey))
      assert.deepEqual(stopped, [])
    }
  })

  test('requires a User-Agent only without a key', () => {
    for (const blank of [undefined, '', ' ', '\t']) {
      assert.equal(passes(blank, false), false)
      assert.equal(passes(blank, true), true)
    }
  })

  test('decides as each pattern and name would separately', () => {
    const known = [...crawlers, ...integrations, ...aiAgentNames, ...crawlerNames]
    for (const name of known) assert.equal(passes(name), !isKnownOneByOne(name), name)
    const examples = crawlerPatterns.map((pattern) => pattern.replaceAll(/[\^\\()[\]|*]|\$/g, ''))
    const piece = fc.oneof(
      fc.constantFrom(...known, ...examples),
      fc.constantFrom(...examples).map((text) => text.slice(0, -1)),
      fc.constantFrom(' ', '/', '-', '(', ')', '; ', '+', '_', 'a', 'Z', 'ed', 'BOT', '1.0', 'x/', 'http://'),
      fc.string({ maxLength: 8 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const name = pieces.join('').slice(0, 1_024)
        assert.equal(passes(name), !isKnownOneByOne(name), JSON.stringify(name))
      }),
      { numRuns: 500 },
    )
  })

  test('reads only the first 1,024 characters, so that a long name costs no more', () => {
    assert.equal(passes(`${'x'.repeat(1_000)} GPTBot/1.2`), false)
    assert.equal(passes(`${'x'.repeat(1_024)} GPTBot/1.2`), true)
    for (const part of ['a', ' ', '(', 'bot ', 'Spider ', 'compatible; ', 'Mozilla/5.0 ', '0.', '-']) {
      const name = part.repeat(16_000 / part.length)
      assert.equal(passes(name), passes(name.slice(0, 1_024)))
    }
  })
})

describe('the operator of the crawler gate', () => {
  const own = crawlerGate({ allow: ['OurBot', 'ahrefs'], deny: ['nasty', 'curl', 'ourbot-evil'] })

  test('can deny substrings of names, in any case', () => {
    for (const name of ['NastyCRM/1.0', 'x (the NASTY one)', 'curl/8.5.0', 'libcurl/7'])
      assert.equal(passes(name, true, own), false)
    assert.equal(passes('AcmeCRM/2.3', true, own), true)
  })

  test('can allow listed names, and names that are denied too', () => {
    assert.equal(
      passes('Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)', true, own),
      true,
    )
    assert.equal(passes('ourbot-evil/1.0', true, own), true)
    assert.equal(passes('GPTBot/1.2', true, own), false)
  })

  test('configures both in the settings', async (context) => {
    const t = await testApp({
      env: { CRAWLERS_ALLOW: 'OurBot, GPTBot', CRAWLERS_DENY: 'AcmeCRM,python-requests' },
    })
    context.after(() => t.close())
    const status = async (name: string) =>
      (await t.ask('GET', '/me', { headers: { 'user-agent': name } })).status
    assert.deepEqual(
      await Promise.all(
        ['GPTBot/1.2', 'acmecrm/2.3', 'python-requests/2.32', 'ClaudeBot/1.0', 'curl/8'].map(status),
      ),
      [200, 403, 403, 403, 200],
    )
  })
})

describe('the crawler gate over HTTP', () => {
  let t: TestApp
  let all: Subject[]
  before(async () => {
    t = await testApp()
    all = subjects({ id: 'ZZZZ9999', external_id: 'none' })
  })
  after(() => t.close())

  test('a crawler is refused everywhere, before any other check, except at /health', async () => {
    const paths = new Set([...all.map(({ path }) => path), '/nothing', '/properties/%ff', ''])
    for (const path of paths) {
      for (const [method, key] of [
        ['GET', t.readKey],
        ['GET', 'nonsense'],
        ['GET', null],
        ['PUT', t.writeKey],
        ['PROPFIND', null],
        ['OPTIONS', null],
      ] as const) {
        const { status, text } = await rawRequest(t.baseUrl, {
          method,
          path: `/api/v1${path}`,
          headers: { 'user-agent': 'GPTBot/1.2', ...(key === null ? {} : { 'x-api-key': key }) },
        })
        if (path === '/health') assert.equal(status, method === 'GET' ? 200 : 405)
        else assert.deepEqual([status, text.includes('"forbidden"')], [403, true], `${method} ${path}`)
      }
    }
  })

  test('a refusal has the envelope', async () => {
    const response = await t.ask('GET', '/properties', { headers: { 'user-agent': 'ClaudeBot/1.0' } })
    const { message } = refused(response, 'forbidden')
    assert.match(String(message), /^Crawlers and AI agents are not admitted\./)
  })

  test('a request with neither key nor User-Agent is refused, except at /health', async () => {
    const ask = (path: string, ...lines: string[]) =>
      sendLines(t.baseUrl, [`GET /api/v1${path} HTTP/1.1`, 'Host: x', ...lines])
    for (const lines of [[], ['User-Agent:'], ['User-Agent:   ']]) {
      for (const path of ['', '/', '/openapi.json', '/me', '/nothing']) {
        const text = await ask(path, ...lines)
        assert.match(text, /^HTTP\/1\.1 403 [\s\S]*"forbidden"[\s\S]*Send a User-Agent/, path)
      }
      assert.match(await ask('/health', ...lines), /^HTTP\/1\.1 200 /)
      // A key identifies the client, in either header.
      assert.match(await ask('/me', `X-API-Key: ${t.readKey}`, ...lines), /^HTTP\/1\.1 200 /)
      assert.match(await ask('/me', `Authorization: Bearer ${t.readKey}`, ...lines), /^HTTP\/1\.1 200 /)
      assert.match(await ask('/me', 'X-API-Key: nonsense', ...lines), /^HTTP\/1\.1 401 /)
    }
  })

  test('pages need no User-Agent', async () => {
    for (const path of ['/terms', '/.well-known/security.txt', '/docs', '/healthz/ready']) {
      const { status } = await rawRequest(t.baseUrl, {
        method: 'GET',
        path,
        headers: { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
      })
      assert.ok(status === 200 || status === 302, `${path} ${status}`)
    }
  })

  test('a crawler does not count toward the limit of keyless requests', async (context) => {
    const tight = await testApp({ limits: { keyless_per_address_per_minute: 1 } })
    context.after(() => tight.close())
    for (let round = 0; round < 5; round += 1)
      refused(
        await tight.ask('GET', '/me', { key: null, headers: { 'user-agent': 'GPTBot/1.2' } }),
        'forbidden',
      )
    refused(await tight.ask('GET', '/me', { key: null }), 'missing_api_key')
  })
})

/** Files beside the pages: robots.txt, security.txt, the terms, and static files. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '../../../src/platform/config/config.ts'
import { crawlerGate } from '../../../src/http/admission/crawlers.ts'
import { robotsText, securityText } from '../../../src/pages/site/files/fixed-files.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { attributes, linked, readable, shown, visit } from './visit.ts'

let t: TestApp
before(async () => {
  t = await testApp({ env: { SECURITY_CONTACT: 'mailto:seguridad@listings.test' } })
})
after(() => t.close())

/** Whether a crawler may read a path under RFC 9309: by the group of its name, or that of all crawlers. */
function mayRead(text: string, name: string, path: string): boolean {
  const groups: { names: string[]; rules: string[] }[] = []
  let inNames = false
  for (const line of text.split('\n').map((line) => line.replace(/#.*/, '').trim())) {
    const [, field = '', value = ''] = /^([\w-]+):\s*(.*)$/.exec(line) ?? []
    if (field === 'User-agent') {
      if (!inNames) groups.push({ names: [], rules: [] })
      groups.at(-1)?.names.push(value.toLowerCase())
    } else if (field === 'Disallow') groups.at(-1)?.rules.push(value)
    if (field !== '') inNames = field === 'User-agent'
  }
  const group =
    groups.find(({ names }) => names.includes(name.toLowerCase())) ??
    groups.find(({ names }) => names.includes('*'))
  return !(group?.rules ?? []).some((rule) => rule !== '' && path.startsWith(rule))
}

describe('robots.txt', () => {
  const pages = [
    '/inmobiliarias/x',
    '/en/inmobiliarias/x/7KQ2M9XA',
    '/photos/a/b/c/large.webp',
    '/sitemap.xml',
    '/',
    '/terms',
    '/site/style.css',
  ]
  const closed = ['/api/v1/properties', '/dashboard', '/dashboard/keys', '/docs']

  test('allows search engines and link previews to read only the public pages', async () => {
    const { text, headers } = await visit(t, '/robots.txt')
    assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8')
    assert.match(text, /^Sitemap: https:\/\/listings\.test\/sitemap\.xml$/m)
    for (const name of [
      'Googlebot',
      'Googlebot-Image',
      'bingbot',
      'DuckDuckBot',
      'YandexBot',
      'Applebot',
      'facebookexternalhit',
      'Twitterbot',
      'WhatsApp',
      'unknown',
    ]) {
      for (const path of pages) assert.ok(mayRead(text, name, path), `${name} ${path}`)
      for (const path of closed) assert.ok(!mayRead(text, name, path), `${name} ${path}`)
    }
  })

  test('allows AI agents to read nothing', async () => {
    const { text } = await visit(t, '/robots.txt')
    for (const name of [
      'GPTBot',
      'ClaudeBot',
      'Claude-User',
      'CCBot',
      'Google-Extended',
      'PerplexityBot',
      'Bytespider',
      'Applebot-Extended',
      'meta-externalagent',
      'Amzn-SearchBot',
      'DeepSeekBot',
    ])
      for (const path of [...pages, ...closed, '/']) assert.ok(!mayRead(text, name, path), `${name} ${path}`)
  })

  test('names only crawlers that the API’s gate refuses', async () => {
    const { text } = await visit(t, '/robots.txt')
    const gate = crawlerGate({ allow: [], deny: [] })
    const names = [...text.matchAll(/^User-agent: (.+)$/gm)]
      .map(([, name = '']) => name)
      .filter((name) => name !== '*')
    assert.ok(names.length > 80)
    for (const name of names) {
      // Google-Extended and similar names are only for this file.
      if (/^(imageSpider|newsai|linkReader)$/i.test(name)) continue
      assert.throws(() => gate(`Mozilla/5.0 (compatible; ${name}/1.0)`, true), name)
    }
  })

  test('follows the operator’s allow and deny lists', () => {
    const config = readConfig({
      CRAWLERS_ALLOW: 'gptbot',
      CRAWLERS_DENY: 'BadBot, two words, #zzz',
      PUBLIC_BASE_URL: 'https://a.example/listings',
    })
    const text = robotsText(config, '/listings')
    assert.ok(mayRead(text, 'GPTBot', '/listings/inmobiliarias/x'))
    assert.ok(!mayRead(text, 'ClaudeBot', '/listings/inmobiliarias/x'))
    assert.ok(!mayRead(text, 'BadBot', '/'))
    assert.ok(!mayRead(text, 'two words', '/'))
    assert.doesNotMatch(text, /#zzz/)
    assert.ok(!mayRead(text, 'Googlebot', '/listings/api/v1'))
    assert.match(text, /^Sitemap: https:\/\/a\.example\/listings\/sitemap\.xml$/m)
  })
})

describe('security.txt', () => {
  test('follows RFC 9116', async () => {
    const { text, headers } = await visit(t, '/.well-known/security.txt')
    assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8')
    const fields = new Map(
      text
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/: (.*)/s, 2) as [string, string]),
    )
    assert.equal(fields.get('Contact'), 'mailto:seguridad@listings.test')
    assert.equal(fields.get('Canonical'), 'https://listings.test/.well-known/security.txt')
    assert.equal(fields.get('Preferred-Languages'), 'es, en')
    const days = (Date.parse(fields.get('Expires') ?? '') - Date.now()) / 86_400_000
    assert.ok(days > 30 && days < 365, String(days))
    assert.equal(fields.size, 4)
  })

  test('always expires in the future, and links to the terms if there is no contact', () => {
    const config = readConfig({ PUBLIC_BASE_URL: 'https://a.example' })
    for (const now of ['2026-01-01T00:00:00.000Z', '2026-12-31T23:59:59.999Z', '2028-02-29T12:00:00Z']) {
      const text = securityText(config, Date.parse(now))
      assert.ok(Date.parse(/^Expires: (.*)$/m.exec(text)?.[1] ?? '') > Date.parse(now) + 170 * 86_400_000)
      assert.match(text, /^Contact: https:\/\/a\.example\/terms#contact$/m)
    }
  })
})

describe('the terms', () => {
  test('exist in both languages, and lead to the contact', async () => {
    for (const [path, language, word] of [
      ['/terms', 'es-AR', 'Términos de uso'],
      ['/en/terms', 'en-US', 'Terms of use'],
    ] as const) {
      const page = await shown(t, path)
      assert.match(page, new RegExp(`<html lang="${language}">`))
      assert.match(readable(page), new RegExp(word))
      assert.match(page, /id="contact"/)
      assert.ok(attributes(page, 'href').includes('mailto:seguridad@listings.test'))
      assert.equal(linked(page, 'canonical'), `https://listings.test${path}`)
    }
  })
})

describe('a static file', () => {
  test('is cached permanently under a name that depends on its content, and compressed if useful', async () => {
    const page = await shown(t, `/inmobiliarias/${t.agency.slug}`)
    const files = [...attributes(page, 'href'), ...attributes(page, 'src')].filter((path) =>
      path.startsWith('/site/'),
    )
    assert.equal(files.length, 6)
    const css = await visit(t, files.find((path) => path.endsWith('.css')) ?? '')
    const fonts = [...css.text.matchAll(/url\(([^)]*)\)/g)].map(([, name = '']) => `/site/${name}`)
    assert.equal(fonts.length, 2)
    assert.doesNotMatch(css.text, /https?:|@import/)
    for (const path of [...files, ...fonts]) {
      const response = await visit(t, path)
      assert.equal(response.status, 200, path)
      assert.match(path, /\.[0-9a-f]{12}\./)
      assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable')
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    }
    assert.ok(css.text.length < 24_000, String(css.text.length))
    const ask = (path: string) => fetch(new URL(path, t.baseUrl), { headers: { 'accept-encoding': 'gzip' } })
    const packed = await ask(files.find((path) => path.endsWith('.css')) ?? '')
    assert.equal(packed.headers.get('content-encoding'), 'gzip')
    assert.equal(await packed.text(), css.text)
    const plain = await ask(fonts[0] ?? '')
    await plain.arrayBuffer()
    assert.equal(plain.headers.get('content-encoding'), null)
  })

  test('is not found under another name', async () => {
    for (const path of ['/site/style.css', '/site/style.000000000000.css', '/site/..%2fassets.ts', '/site/'])
      assert.equal((await visit(t, path)).status, 404, path)
  })
})

test('every link includes the path of PUBLIC_BASE_URL', async () => {
  const below = await testApp({ env: { PUBLIC_BASE_URL: 'https://a.example/listings/' } })
  try {
    const page = await shown(below, `/inmobiliarias/${below.agency.slug}`)
    assert.ok(
      attributes(page, 'href').every((link) =>
        /^(\/listings\/|https:\/\/a\.example\/listings\/|#)/.test(link),
      ),
      attributes(page, 'href').join(' '),
    )
    assert.ok(attributes(page, 'action').every((link) => link.startsWith('/listings/')))
  } finally {
    await below.close()
  }
})

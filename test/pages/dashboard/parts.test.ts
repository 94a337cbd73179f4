/** Small parts of the dashboard: form tokens, cookies, messages between pages, the catalogue of texts, formats. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safeNext } from '../../../src/pages/dashboard/serving/access.ts'
import { cookieJar, readCookies } from '../../../src/http/cookies.ts'
import { csrfToken, isCsrfToken, isOwnForm } from '../../../src/pages/dashboard/forms/csrf.ts'
import {
  decodeFlash,
  encodeFlash,
  failed,
  flashText,
  succeeded,
} from '../../../src/pages/dashboard/serving/flash.ts'
import { en, es } from '../../../src/pages/dashboard/messages/catalogue.ts'
import { whyText } from '../../../src/pages/dashboard/pages/operator/delivery-parts.ts'
import { reasonText, type Why } from '../../../src/delivery/notifications/failure.ts'

test('a form token belongs to one secret', () => {
  const token = csrfToken('a')
  assert.equal(isCsrfToken(token, csrfToken('a')), true)
  for (const wrong of [
    null,
    '',
    csrfToken('b'),
    `${token}x`,
    'ñ'.repeat(43),
    '€'.repeat(43),
    '🏠'.repeat(21),
  ])
    assert.equal(isCsrfToken(wrong, token), false)
  // As many bytes as a token, in fewer characters.
  assert.equal(isCsrfToken(`${'ñ'.repeat(21)}x`, token), false)
})

test('a form from another site is recognized by its browser headers', () => {
  const own = ['https://a.example']
  assert.equal(isOwnForm({ 'sec-fetch-site': 'same-origin' }, own), true)
  assert.equal(isOwnForm({ origin: 'https://a.example' }, own), true)
  assert.equal(isOwnForm({}, own), true)
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'https://a.example' },
    { origin: 'https://b.example' },
    { origin: 'null' },
  ])
    assert.equal(isOwnForm(headers, own), false)
})

test('cookies are parsed as sent, and named by the scheme', () => {
  assert.deepEqual(readCookies('a=1; b=2=3;c; a=4'), { a: '1', b: '2=3' })
  assert.deepEqual(readCookies(undefined), {})
  const line = cookieJar({ publicBaseUrl: 'http://127.0.0.1:3000' }).line('session', 'x', 0)
  assert.equal(line, 'dashboard-session=x; Path=/; HttpOnly; SameSite=Lax; Max-Age=0')
  assert.equal(cookieJar({ publicBaseUrl: 'https://a.example' }).named('session'), '__Host-dashboard-session')
})

test('redirects only go to URLs of the dashboard', () => {
  for (const good of ['/dashboard', '/dashboard/keys?x=1&y=%20', '/dashboard?x=1'])
    assert.equal(safeNext(good), good)
  for (const bad of [
    null,
    '',
    '/',
    '/dashboards',
    'https://x',
    '/dashboard//x',
    '/dashboard/\n',
    '/dashboard/<',
  ])
    assert.equal(safeNext(bad), '/dashboard')
})

test('a message passes through its cookie unchanged, and nothing else does', () => {
  const flash = failed('refused', 'porque <b>sí</b>')
  assert.deepEqual(decodeFlash(encodeFlash(flash), es), flash)
  assert.equal(flashText(succeeded('keyRevoked', 'CRM'), en), 'The key “CRM” no longer works.')
  const odd = [['good', 'toString'], ['ok', 'published'], 'x', { kind: 'good' }, ['good'], [1, 2]]
  for (const value of odd)
    assert.equal(decodeFlash(Buffer.from(JSON.stringify(value)).toString('base64url'), es), null)
  for (const text of [undefined, '', '!', 'e30', 'x'.repeat(5_000)]) assert.equal(decodeFlash(text, es), null)
})

/** Every text of a catalogue by its path; for functions, their results. */
function textsOf(value: unknown, path: string): [string, string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') {
    const filled: unknown = value(...Array.from({ length: 5 }, () => ['7']))
    return textsOf(filled, path)
  }
  return Object.entries(value as object).flatMap(([name, part]) => textsOf(part, `${path}.${name}`))
}

test('both catalogues are complete, each in its own language', () => {
  const [spanish, english] = [textsOf(es, ''), textsOf(en, '')]
  assert.deepEqual(
    english.map(([path]) => path),
    spanish.map(([path]) => path),
  )
  const may = /^\.(errors\.limited\.1|flash\.refused|listings\.(by\.person|range))/
  for (const [index, [path, text]] of spanish.entries()) {
    if (may.test(path)) continue
    assert.notEqual(text.trim(), '', path)
    assert.doesNotMatch(english[index]?.[1] ?? '', /[¿¡áíóúñ]/, path)
  }
  // The Argentine form of address: vos, not tú.
  assert.doesNotMatch(
    spanish.map(([, text]) => text).join('\n'),
    /\b(puedes|tienes|haz|elige|revisa tu|tú)\b/i,
  )
})

test('the reason of a failed delivery is in the reader’s language, and quotes others unchanged', () => {
  const said = 'Mailbox <busy>'
  const whys: readonly Why[] = [
    { kind: 'silent', seconds: 10 },
    { kind: 'late', seconds: 20 },
    { kind: 'unreachable', said: 'ECONNREFUSED' },
    { kind: 'unreachable', said: null },
    { kind: 'redirected', status: 307 },
    { kind: 'refused', status: 500, said },
    { kind: 'refused', status: 503, said: null },
    ...(['mail_unreachable', 'mail_sign_in', 'mail_refused', 'error'] as const).map((kind) => ({
      kind,
      said,
    })),
    { kind: 'no_address' },
    { kind: 'unwanted' },
  ]
  for (const why of whys) {
    const detail = reasonText(why)
    const [spanish = '', english = ''] = [es, en].map((t) => whyText({ t }, { why, detail }) ?? '')
    assert.notEqual(spanish, english)
    for (const text of [spanish, english]) {
      for (const [name, value] of Object.entries(why))
        if (name !== 'kind' && value !== null) assert.ok(text.includes(String(value)), text)
      assert.doesNotMatch(text, /null|undefined/)
    }
  }
  assert.equal(
    whyText({ t: es }, { why: { kind: 'silent', seconds: 10 }, detail: '' }),
    'No respondió en 10 segundos.',
  )
  assert.equal(whyText({ t: es }, { why: null, detail: 'of an older version' }), 'of an older version')
})

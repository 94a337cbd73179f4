/** A visitor whose browser runs no scripts: keeps cookies, follows no redirect by itself, and sends forms as pages contain them. */
import assert from 'node:assert/strict'
import { request } from 'undici'
import type { Account, Role } from '../../../src/access/accounts/accounts.ts'
import { headersOf, type TestApp } from '../../support/app/app.ts'
import { createPerson, password } from '../../support/app/people.ts'

export type VisitedPage = {
  status: number
  headers: Headers
  text: string
  /** The redirect's target, or null. */
  to: string | null
  /** The text without markup, on one line. */
  words: string
}

export type Visitor = {
  cookies: Map<string, string>
  get(path: string, headers?: Record<string, string>): Promise<VisitedPage>
  /** Sends a form. The token is that of this visitor's pages unless the fields override it; null omits a field. */
  post(
    path: string,
    fields?: Record<string, string | string[] | null>,
    headers?: Record<string, string>,
  ): Promise<VisitedPage>
  /** Sends a form with files, the token before them; null omits the token. */
  upload(
    path: string,
    parts: readonly (readonly [name: string, value: string | File])[],
    headers?: Record<string, string>,
    token?: string | null,
  ): Promise<VisitedPage>
  /** Sends a form and follows its redirect. */
  submit(path: string, fields?: Record<string, string | string[] | null>): Promise<VisitedPage>
}

export function visitor(t: TestApp, language = 'es-AR'): Visitor {
  const cookies = new Map<string, string>()
  let token: string | null = null

  const ask = async (
    path: string,
    given: Record<string, string>,
    body: URLSearchParams | FormData | null = null,
  ): Promise<VisitedPage> => {
    const sent = new Headers({ 'accept-language': language, ...given })
    sent.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    const encoded = body === null ? null : new Response(body)
    if (encoded !== null) sent.set('content-type', encoded.headers.get('content-type') ?? '')
    // `fetch` takes twice the CPU time.
    const response = await request(`${t.baseUrl}${path}`, {
      method: encoded === null ? 'GET' : 'POST',
      headers: sent,
      body: (await encoded?.bytes()) ?? null,
    })
    const headers = headersOf(response)
    for (const line of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/max-age=0/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    const text = await response.body.text()
    token = /name="_csrf"\s+value="([^"]+)"/.exec(text)?.[1] ?? token
    const words = text
      .replace(/<head>[^]*<\/head>/, '')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
    return {
      status: response.statusCode,
      headers,
      text,
      to: headers.get('location'),
      words,
    }
  }

  const self: Visitor = {
    cookies,
    get: (path, headers = {}) => ask(path, headers),
    async post(path, fields = {}, headers = {}) {
      if (token === null) await self.get('/dashboard/sign-in')
      const form = new URLSearchParams()
      for (const [name, value] of Object.entries({ _csrf: token, ...fields })) {
        if (value === null) continue
        for (const one of [value].flat()) form.append(name, one)
      }
      return ask(path, headers, form)
    },
    async upload(path, parts, headers = {}, sent) {
      if (token === null) await self.get('/dashboard/sign-in')
      const form = new FormData()
      const own = sent === undefined ? token : sent
      if (own !== null) form.append('_csrf', own)
      for (const [name, value] of parts) form.append(name, value)
      return ask(path, headers, form)
    },
    async submit(path, fields) {
      const response = await self.post(path, fields)
      assert.equal(response.status, 303, `${path}: ${response.words.slice(0, 400)}`)
      return await self.get(response.to ?? '')
    },
  }
  return self
}

let count = 0

/** An account with the password above. */
export function person(t: TestApp, role: Role, agencyId: string | null = t.agency.id): Promise<Account> {
  count += 1
  const { db } = t.deps
  const input = { email: `person-${count}@acme.example`, name: `Ana Pérez ${count}`, role }
  return createPerson(db, { ...input, agencyId: role === 'operator' ? null : agencyId }, t.clock)
}

/** A visitor who is signed in. */
export type Person = Visitor & { account: Account }

export async function signedIn(
  t: TestApp,
  role: Role,
  agencyId: string | null = t.agency.id,
  language?: string,
): Promise<Person> {
  const account = await person(t, role, agencyId)
  const self = visitor(t, language)
  const page = await self.submit('/dashboard/sign-in', { email: account.email, password })
  assert.equal(page.status, 200, page.words)
  return { ...self, account }
}

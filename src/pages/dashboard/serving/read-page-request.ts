/** Reads the request of a page: session, language, query and form. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findSession, isToken, newToken } from '../../../access/accounts/sign-in/sessions.ts'
import type { Deps } from '../../../deps.ts'
import { cookieJar, readCookies } from '../../framework/cookies.ts'
import { formats } from '../../../platform/web/language/format.ts'
import { isLanguage, preferredLanguage } from '../../../platform/web/language/language.ts'
import { csrfToken } from '../forms/csrf.ts'
import { decodeFlash } from './flash.ts'
import { notRefused } from '../forms/forms.ts'
import { en, es } from '../messages/catalogue.ts'
import type { Page, PageRequest } from './page.ts'
import { pathOf, searchOf } from '../../../platform/web/request-target.ts'

const messages = { es, en }

type PageRequestReader = Readonly<{
  /** Looks up the session, and gives a stranger a guest cookie. */
  readRequest: (incoming: FastifyRequest, reply: FastifyReply) => Promise<PageRequest>
  /** Builds a request without the database, for errors before the session is looked up. */
  readStranger: (incoming: FastifyRequest) => PageRequest
}>

export function pageRequestReader(deps: Deps, pages: readonly Page[]): PageRequestReader {
  const jar = cookieJar(deps.config)
  const shownPaths = new Set(pages.filter(({ method }) => method === 'GET').map(({ path }) => path))

  return {
    readStranger,
    async readRequest(incoming, reply) {
      const cookies = readCookies(incoming.headers.cookie)
      const token = cookies[jar.named('session')] ?? ''
      const session = token === '' ? null : await findSession(deps.db, token, incoming.ip, deps.clock)
      let secret = token
      if (session === null) {
        const known = cookies[jar.named('guest')]
        secret = known !== undefined && known.length === 43 ? known : newToken()
        if (secret !== known) reply.header('set-cookie', jar.line('guest', secret, null))
      }
      const stranger = readStranger(incoming)
      const browser = cookies[jar.named('browser')] ?? ''
      const chosen = cookies[jar.named('language')]
      const language = session?.account.language ?? (isLanguage(chosen) ? chosen : stranger.language)
      const t = messages[language]
      const named = ['session', 'guest', 'flash', 'language', 'link'] as const
      return {
        ...stranger,
        session,
        language,
        t,
        format: formats[language],
        csrf: csrfToken(secret),
        device: { ...stranger.device, browser: isToken(browser) ? browser : newToken() },
        cookies: Object.fromEntries(named.map((name) => [name, cookies[jar.named(name)]])),
        flash: decodeFlash(cookies[jar.named('flash')], t),
      }
    },
  }

  function readStranger(incoming: FastifyRequest): PageRequest {
    const target = incoming.raw.url
    const search = searchOf(target)
    const language = preferredLanguage(incoming.headers['accept-language'])
    return {
      deps,
      requestId: incoming.id,
      language,
      t: messages[language],
      format: formats[language],
      base: deps.config.basePath,
      url: urlOf(incoming, pathOf(target), search),
      wantsJson: incoming.headers.accept === 'application/json',
      params: (incoming.params ?? {}) as Record<string, string>,
      query: readQuery(search),
      form: incoming.body instanceof URLSearchParams ? incoming.body : new URLSearchParams(),
      receive: (work) => work(null),
      csrf: '',
      cookies: {},
      device: { userAgent: incoming.headers['user-agent'] ?? '', ip: incoming.ip, browser: '' },
      session: null,
      agency: null,
      flash: null,
      refusal: notRefused,
    }
  }

  /** The URL that shows this page again: for a form, its own path if that can be shown, otherwise the overview. */
  function urlOf({ method, routeOptions }: FastifyRequest, path: string, search: string): string {
    if (method === 'POST') return shownPaths.has(routeOptions.url ?? '') ? path : '/dashboard'
    return `${path}${search === '' ? '' : `?${search}`}`
  }
}

/** Drops U+0000, which PostgreSQL does not store and statements cannot contain. */
function readQuery(search: string): URLSearchParams {
  const query = new URLSearchParams(search)
  if (!search.includes('%00')) return query
  const cleaned = new URLSearchParams()
  for (const [name, value] of query) cleaned.append(name, value.replaceAll('\0', ''))
  return cleaned
}

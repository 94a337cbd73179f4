/** Reads a visit from its request: session, language, query and form. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findSession, newToken } from '../../access/accounts/sessions.ts'
import type { Deps } from '../../deps.ts'
import { cookieJar, readCookies } from '../../http/cookies.ts'
import { formats } from '../../platform/web/format.ts'
import { isLanguage, preferredLanguage } from '../../platform/web/language.ts'
import { csrfToken } from './csrf.ts'
import { decodeFlash } from './flash.ts'
import { notRefused } from './forms.ts'
import { en, es } from './messages/catalogue.ts'
import type { Page, Visit } from './visit.ts'

const messages = { es, en }

type VisitReader = Readonly<{
  /** Looks up the session, and gives a stranger a guest cookie. */
  readVisit: (request: FastifyRequest, reply: FastifyReply) => Promise<Visit>
  /** Builds a visit without the database, for errors before the session is looked up. */
  readStranger: (request: FastifyRequest) => Visit
}>

/** @param base the path that a proxy adds */
export function visitReader(deps: Deps, base: string, pages: readonly Page[]): VisitReader {
  const jar = cookieJar(deps.config)
  const shownPaths = new Set(pages.filter(({ method }) => method === 'GET').map(({ path }) => path))

  return {
    readStranger,
    async readVisit(request, reply) {
      const cookies = readCookies(request.headers.cookie)
      const token = cookies[jar.named('session')] ?? ''
      const session = token === '' ? null : await findSession(deps.db, token, request.ip, deps.clock)
      let secret = token
      if (session === null) {
        const known = cookies[jar.named('guest')]
        secret = known !== undefined && known.length === 43 ? known : newToken()
        if (secret !== known) reply.header('set-cookie', jar.line('guest', secret, null))
      }
      const stranger = readStranger(request)
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
        cookies: Object.fromEntries(named.map((name) => [name, cookies[jar.named(name)]])),
        flash: decodeFlash(cookies[jar.named('flash')], t),
      }
    },
  }

  function readStranger(request: FastifyRequest): Visit {
    const [path = '', search = ''] = (request.raw.url ?? '').split('?', 2)
    const language = preferredLanguage(request.headers['accept-language'])
    return {
      deps,
      requestId: request.id,
      language,
      t: messages[language],
      format: formats[language],
      base,
      url: urlOf(request, path, search),
      wantsJson: request.headers.accept === 'application/json',
      params: (request.params ?? {}) as Record<string, string>,
      query: readQuery(search),
      form: request.body instanceof URLSearchParams ? request.body : new URLSearchParams(),
      receive: (work) => work(null),
      csrf: '',
      cookies: {},
      device: { userAgent: request.headers['user-agent'] ?? '', ip: request.ip },
      session: null,
      agency: null,
      flash: null,
      refusal: notRefused,
      responseHeaders: {},
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

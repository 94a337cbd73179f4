/**
 * What a page is given and what it gives: pages are data, as the API's endpoints are. One table of them is what routing, access,
 * the check of forms and the tests common to all follow from.
 */
import type { Session } from '../accounts/sessions.ts'
import type { Deps } from '../deps.ts'
import type { Html } from '../web/html.ts'
import type { PageLanguage } from '../web/language.ts'
import type { Flash } from './flash.ts'
import type { Format } from '../web/format.ts'
import type { Messages } from './messages/es.ts'

/** The agency that a page is about: one's own, or the one an operator looks at. */
export type Scope = Readonly<{
  id: string
  name: string
  slug: string
  active: boolean
  revision: number
  /** What the addresses of the agency's pages begin with, such as `/dashboard`. */
  path: string
}>

export type Visit = Readonly<{
  deps: Deps
  requestId: string
  language: PageLanguage
  t: Messages
  format: Format
  /** Path that a proxy adds; every address of a page begins with it. */
  base: string
  /** As it was asked for, with the query, without the base. */
  address: string
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  form: URLSearchParams
  csrf: string
  cookies: Readonly<Record<string, string | undefined>>
  device: Readonly<{ userAgent: string; address: string }>
  session: Session | null
  flash: Flash | null
  /** What the page in answer tells beside its text: of a form that is refused, when to try again. Empty at first. */
  answerHeaders: Record<string, string>
}>

export type Signed = Visit & Readonly<{ session: Session }>
export type Scoped = Signed & Readonly<{ scope: Scope }>

/** A page to show, or an address to go to. */
export type Outcome =
  | Readonly<{ title: string; body: Html; status?: number; section?: Section; wide?: boolean }>
  | Readonly<{
      to: string
      flash?: Flash
      /** A new session's token, or null to sign out. */
      session?: string | null
      language?: PageLanguage
      /** The token of a link, kept in a cookie instead of the address; null when it has served. */
      link?: string | null
    }>

/** What the navigation marks. */
export type Section =
  | 'overview'
  | 'listings'
  | 'keys'
  | 'usage'
  | 'people'
  | 'account'
  | 'agencies'
  | 'notifications'
  | 'health'
  | 'audit'

/**
 * Who may: `anyone`; `guest`, who is not signed in; `factor`, whose second factor is still to come; `person`, anybody signed in;
 * `agency`, people of an agency; `owner`, its owners; `operator`.
 */
export type Access = 'anyone' | 'guest' | 'factor' | 'person' | 'agency' | 'owner' | 'operator'

export type Page = Readonly<{
  method: 'GET' | 'POST'
  /** Below the base, with parameters as in `/dashboard/keys/:key`. */
  path: string
  access: Access
  /** For `agency` and `owner`, and for operators below an agency: the visit has a scope. */
  handle: (visit: Scoped) => Promise<Outcome>
}>

type Handle<V extends Visit> = (visit: V) => Promise<Outcome>

export function openPage(
  method: Page['method'],
  path: string,
  access: 'anyone' | 'guest',
  handle: Handle<Visit>,
): Page {
  return { method, path: `/dashboard${path}`, access, handle }
}

export function personPage(
  method: Page['method'],
  path: string,
  access: 'factor' | 'person' | 'operator',
  handle: Handle<Signed>,
): Page {
  return { method, path: `/dashboard${path}`, access, handle }
}

/** The same page twice: of the own agency, and for operators of any. */
export function agencyPages(
  method: Page['method'],
  path: string,
  access: 'agency' | 'owner',
  handle: Handle<Scoped>,
): Page[] {
  return [
    { method, path: `/dashboard${path}`, access, handle },
    { method, path: `${operatorAgencyPath}${path}`, access: 'operator', handle },
  ]
}

export const operatorAgencyPath = '/dashboard/operator/agencies/:agency'

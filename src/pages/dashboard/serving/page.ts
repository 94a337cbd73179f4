/**
 * A page of the dashboard as a row of a table: its path, access and function, and the function's input and output. Routing, the check of
 * forms and the common tests follow from the table.
 */
import type { Device, Session } from '../../../access/accounts/sign-in/sessions.ts'
import type { Deps } from '../../../deps.ts'
import type { Flash } from './flash.ts'
import type { Messages } from '../messages/catalogue.ts'
import type { Receive } from '../forms/multipart.ts'
import type { FieldProblems } from '../../framework/fields.ts'
import { jsonType } from '../../../http/responses/response.ts'
import { catalogue, type ErrorCode } from '../../../platform/errors/error-catalogue.ts'
import type { Format } from '../../../platform/web/language/format.ts'
import type { Html } from '../../../platform/web/html.ts'
import type { PageLanguage } from '../../../platform/web/language/language.ts'

/** The agency that a page is about: the person's own, or one that an operator looks at. */
export type PageAgency = Readonly<{
  id: string
  name: string
  slug: string
  active: boolean
  /** Prefix of the paths of the agency's pages, such as `/dashboard`. */
  path: string
  /** Whether it is a twin, whose pages are the test environment. */
  isTest: boolean
  /** The agency that people and the audit log belong to, and that pays for work (limits/real-agency.ts): for a twin, the real one. */
  realId: string
  /** The `path` of the agency that has this id. */
  realPath: string
}>

export type PageRequest = Readonly<{
  deps: Deps
  requestId: string
  language: PageLanguage
  t: Messages
  format: Format
  /** The path that a proxy adds; every URL in a page begins with it. */
  base: string
  /** Path and query of the request, without the base. */
  url: string
  /** Whether a script sent the request: failures are then JSON instead of a page. */
  wantsJson: boolean
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  /** In a form with a file, only the fields before the file. */
  form: URLSearchParams
  /** Runs the work with the file of the form, or with null where the page takes none. */
  receive: Receive
  csrf: string
  cookies: Readonly<Record<string, string | undefined>>
  device: Device
  session: Session | null
  agency: PageAgency | null
  flash: Flash | null
  refusal: Refusal
}>

/** Why the page's form was refused, when the page shows it again; `code` is null if it was not. */
export type Refusal = Readonly<{ problems: FieldProblems; code: ErrorCode | null } & Headed>

/** Headers of the response, such as `Retry-After`. */
type Headed = { headers?: Readonly<Record<string, string>> | undefined }

/** A request by a person who is signed in. */
export type PersonRequest = PageRequest & Readonly<{ session: Session }>
export type AgencyRequest = PersonRequest & Readonly<{ agency: PageAgency }>

export type PageDocument = Readonly<
  {
    title: string
    body: Html
    status?: number
    section?: Section
    /** Names of files of `client/` that this page loads beside `dashboard.js`. */
    scripts?: readonly string[]
  } & Headed
>

/** A file, or data for a script. @property filename the name under which the browser saves it */
export type PageData = Readonly<
  { data: string | Buffer; type: string; status?: number; filename?: string } & Headed
>

export type PageRedirect = Readonly<{
  to: string
  flash?: Flash
  /** A new session's token, or null to sign out. */
  session?: string | null
  language?: PageLanguage
  /** The token of a link, kept in a cookie instead of the URL; null deletes it. */
  link?: string | null
}>

export type PageResponse = PageDocument | PageData | PageRedirect

export function jsonResponse(value: unknown, status = 200, headers: PageData['headers'] = {}): PageData {
  return { data: JSON.stringify(value), type: jsonType, status, headers }
}

/** The HTTP status of a page that shows its form, refused with the code or not. */
export function statusOf(code: ErrorCode | null): number {
  return code === null ? 200 : catalogue[code].status
}

/** The entry of the navigation that is marked, by its text. */
export type Section = keyof Messages['nav']

/**
 * `guest`: not signed in. `factor`: the second factor is still missing. `person`: everyone who is signed in. `agency`: an agency's people.
 * `owner`: its owners.
 */
type Access = 'anyone' | 'guest' | 'factor' | 'person' | 'agency' | 'owner' | 'operator'

type Method = 'GET' | 'POST'

export type Page = Readonly<{
  method: Method
  /** Below the base, with parameters as in `/dashboard/keys/:key`. */
  path: string
  access: Access
  /** The page is about the agency's twin; without a twin, it is 404. */
  isTest?: boolean
  /** The length limit of its form, if not the usual one. */
  formBytes?: number
  takesFile?: true
  /** Responds with a file, or data for a script, never a page. */
  isData?: true
  /** The request's agency is set for `agency` and `owner`, and for operators on an agency's page. */
  handle: Handle<AgencyRequest>
}>

export const agenciesPath = '/dashboard/operator/agencies'
export const operatorAgencyPath = `${agenciesPath}/:agency`

export type Handle<R extends PageRequest> = (request: R) => PageResponse | Promise<PageResponse>

export function openPage(
  method: Method,
  path: string,
  access: 'anyone' | 'guest',
  handle: Handle<PageRequest>,
): Page {
  return { method, path: `/dashboard${path}`, access, handle }
}

export function personPage(
  method: Method,
  path: string,
  access: 'factor' | 'person' | 'operator',
  handle: Handle<PersonRequest>,
): Page {
  return { method, path: `/dashboard${path}`, access, handle }
}

export function operatorAgencyPage(method: Method, path: string, handle: Handle<AgencyRequest>): Page {
  return { method, path: `${operatorAgencyPath}${path}`, access: 'operator', handle }
}

/** The same page twice: for the people of an agency, and for operators of any agency. */
export function agencyPages(
  method: Method,
  path: string,
  access: 'agency' | 'owner',
  handle: Handle<AgencyRequest>,
): Page[] {
  return [{ method, path: `/dashboard${path}`, access, handle }, operatorAgencyPage(method, path, handle)]
}

export function withFile(pages: readonly Page[]): Page[] {
  return pages.map((page) => ({ ...page, takesFile: true }))
}

export function asData(pages: readonly Page[]): Page[] {
  return pages.map((page) => ({ ...page, isData: true }))
}

/** The pages, and below `/test` the same pages about the agency's twin. */
export function withTestPages(pages: readonly Page[]): Page[] {
  return pages.flatMap((page) => {
    const before = page.path.startsWith(operatorAgencyPath) ? operatorAgencyPath : '/dashboard'
    const path = `${before}/test${page.path.slice(before.length)}`
    return [page, { ...page, path, isTest: true }]
  })
}

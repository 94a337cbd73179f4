/**
 * The form for an enquiry to an agency, about a listing or in general. The enquiry goes to the agency by mail and is not kept. There is
 * no session and no cookie: the form holds a sealed token with its subject and its age. Programs that send forms blindly lack the token,
 * and an enquiry sent twice with the same token counts once.
 */
import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { takeEnquiry } from '../../access/accounts/attempts.ts'
import { type Enquiry, keepEnquiry } from '../../agencies/enquiries.ts'
import { findSuccessor } from '../../agencies/former-slugs.ts'
import { findPublicAgency, type PublicAgency } from '../../agencies/public-agency.ts'
import { atAgency } from '../../platform/db/citus/nodes.ts'
import type { Deps } from '../../deps.ts'
import { ApiError } from '../../platform/errors.ts'
import { asPublicId } from '../../platform/ids.ts'
import { findPublicListing, type PublicListing } from '../../listings/public.ts'
import { findSimilar } from '../../listings/warnings/similar.ts'
import { oneLine } from '../../platform/web/text.ts'
import {
  type About,
  formPath,
  isFilledBlindly,
  newToken,
  problemsOf,
  readToken,
  typedIn,
} from './enquiry-form.ts'
import type { Problems } from '../framework/fields.ts'
import { enquiryPage, type EnquiryForm, sentPage } from './enquiry-view.ts'
import { enquiryPath, takesEnquiries } from './enquiry-path.ts'
import { goneListingPage, missingPage } from './message-view.ts'
import {
  formHeaders,
  type PublicAnswer,
  type PublicPage,
  type PublicRequest,
  registerPublicPages,
} from './public-page.ts'
import { listingPath, type Site } from './site.ts'
import { mostSimilar } from './agency-pages.ts'

const bodyLimit = 65_536

export async function registerEnquiries(app: FastifyInstance, deps: Deps, site: Site): Promise<void> {
  const paths = ['/inmobiliarias/:slug/consulta', '/inmobiliarias/:slug/:code/consulta']
  const pages = paths.flatMap((path): PublicPage[] => [
    { method: 'GET', path, answer: (request) => onSubject(deps, request, showForm) },
    { method: 'POST', path, bodyLimit, answer: (request) => onSubject(deps, request, receiveForm) },
  ])
  await registerPublicPages(app, site, pages, {
    headers: formHeaders,
    parsers: (forms) =>
      forms.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'string', bodyLimit },
        (_request, body, done) => done(null, new URLSearchParams(body as string)),
      ),
  })
}

/** `gone`: the requested listing is no longer public, and the enquiry is about the agency. */
type Subject = Readonly<{ about: About; gone: PublicListing | null }>

type OnSubject = (deps: Deps, request: PublicRequest, subject: Subject) => Promise<PublicAnswer>

/** Answers a request for the form, or one that the form sent. */
async function onSubject(deps: Deps, request: PublicRequest, answer: OnSubject): Promise<PublicAnswer> {
  const { edition, path, params, method, read } = request
  const { slug = '', code } = params
  const agency = await findPublicAgency(deps.db, slug, deps.clock)
  const subject = await read(agency?.id ?? null, () => findSubject(deps, agency, code))
  if (subject !== null) return answer(deps, request, subject)
  const successor = agency === null ? await findSuccessor(deps.db, slug) : null
  if (successor === null || (code !== undefined && asPublicId(code) === null))
    return { page: missingPage({ edition, path }), status: 404 }
  return { to: enquiryPath(successor, code ?? null), status: method === 'POST' ? 308 : 301 }
}

/** Null where there is nothing to ask about, or nobody to ask. */
async function findSubject(
  deps: Deps,
  agency: PublicAgency | null,
  code: string | undefined,
): Promise<Subject | null> {
  if (agency === null || !agency.active || !takesEnquiries(deps, agency)) return null
  const atLarge = { agency, listing: null }
  if (code === undefined) return { about: atLarge, gone: null }
  if (asPublicId(code) === null) return null
  const { db } = await atAgency(deps, agency.id)
  const found = await findPublicListing(db, agency.id, code, deps.roughPlace)
  if (found === null) return null
  const { listing, isGone } = found
  return isGone ? { about: atLarge, gone: listing } : { about: { agency, listing }, gone: null }
}

async function showForm(deps: Deps, request: PublicRequest, { about, gone }: Subject): Promise<PublicAnswer> {
  const { edition, path, query, read } = request
  const { agency, listing } = about
  if (query.has('sent')) return { page: sentPage(edition, about), status: 200 }
  if (gone !== null) {
    const { db } = await atAgency(deps, agency.id)
    const similar = await read(agency.id, () => findSimilar(db, gone, mostSimilar, deps.roughPlace))
    return { page: goneListingPage({ edition, path }, agency, similar), status: 410 }
  }
  const message = edition.words.enquiry.opening(listing !== null)
  const form = { name: '', email: '', phone: '', message, token: newToken(deps, about) }
  return { page: enquiryPage(edition, about, form, {}), status: 200 }
}

async function receiveForm(
  deps: Deps,
  request: PublicRequest,
  { about, gone }: Subject,
): Promise<PublicAnswer> {
  const { edition, form: sent } = request
  const { words } = edition
  const form = { ...typedIn(sent), token: newToken(deps, about) }
  const done = { to: formPath(about), status: 303, search: 'sent' } as const
  // Programs fill in the field that people do not see. They get the same answer as people.
  if (isFilledBlindly(sent)) return done
  const again = (status: number, problems: Problems, headers = {}): PublicAnswer => ({
    page: enquiryPage(edition, about, form, problems),
    status,
    headers,
  })
  if (gone !== null) {
    // The text stays in the form and can be sent to the agency. The code names the listing that it was about.
    const message = `${form.message}\n\n${words.code(gone.public_id)}`
    const problems = { '': words.enquiry.gone(about.agency.name) }
    return { page: enquiryPage(edition, about, { ...form, message }, problems), status: 410 }
  }
  const formId = readToken(deps, about, sent.get('token') ?? '')
  if (formId === null) return again(400, { '': words.enquiry.stale })
  const problems = problemsOf(form, edition)
  if (Object.keys(problems).length > 0) return again(400, problems)
  // Test pages say that nothing is sent. Nothing is written either: such a form costs no more than reading the page.
  if (about.agency.test) return done
  try {
    await storeEnquiry(deps, request, about, form, formId)
    return done
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'rate_limited') throw error
    return again(429, { '': words.enquiry.limited }, error.headers)
  }
}

/** Stores the enquiry for the mail to the agency. @throws ApiError `rate_limited` */
async function storeEnquiry(
  { db, clock, config, secretBox, visits }: Deps,
  { edition, ip, visitor }: PublicRequest,
  { agency, listing }: About,
  form: EnquiryForm,
  formId: string,
): Promise<void> {
  const code = listing?.public_id ?? null
  const email = form.email === '' ? null : form.email
  const phone = form.phone === '' ? null : form.phone
  const limited = { db, clock, limits: config.limits }
  await takeEnquiry(limited, { ip, email, phone }, { agencyId: agency.id, code })
  const enquiry: Enquiry = {
    name: form.name,
    email,
    phone,
    message: form.message,
    listing:
      listing === null
        ? null
        : {
            code: listing.public_id,
            title: oneLine(listing.title ?? ''),
            url: edition.url(listingPath(agency.slug, listing.public_id)),
          },
  }
  const stored = { id: idOf(formId, enquiry), agencyId: agency.id, enquiry }
  const isNew = await keepEnquiry(db, stored, secretBox.seal, clock)
  if (isNew && code !== null && visitor !== null)
    visits.count(agency.id, code, 'enquiries', { ...visitor, device: formId })
}

/** The same form sent again is the same enquiry; with other contents it is another. */
function idOf(formId: string, enquiry: Enquiry): string {
  const digest = hash('sha256', `${formId} ${JSON.stringify(enquiry)}`)
  return digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}

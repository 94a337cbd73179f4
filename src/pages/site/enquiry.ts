/**
 * The form to ask an agency something, about a listing or at large. What is asked goes to the agency by mail and stays nowhere. There is
 * no session and no cookie: the form holds a sealed token that says what it is of and since when, which programs that send forms blindly
 * lack, and by which what it says is asked once.
 */
import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { takeEnquiry } from '../../access/accounts/enquiry-limits.ts'
import { type Enquiry, keepEnquiry } from '../../agencies/enquiries.ts'
import { findSuccessor } from '../../agencies/former-slugs.ts'
import { findPublicAgency, type PublicAgency } from '../../agencies/public-agency.ts'
import { atAgency } from '../../platform/db/citus/at-agency.ts'
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
import { enquiryPage, type EnquiryForm, sentPage } from './enquiry-view.ts'
import { enquiryPath, takesEnquiries } from './enquiry-path.ts'
import { askedPath, sendUnkept } from './error-pages.ts'
import { goneListingPage, missingPage } from './message-view.ts'
import { notOfForms, refuseMethods, registerForms } from './routes.ts'
import { type Edition, listingPath, type Site } from './site.ts'
import { mostSimilar } from './shown.ts'
import { visitorOf } from './visitor.ts'

const bodyLimit = 65_536

export async function registerEnquiries(app: FastifyInstance, deps: Deps, site: Site): Promise<void> {
  await registerForms(app, site, (pages) => {
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit },
      (_request, body, done) => done(null, new URLSearchParams(body as string)),
    )
    for (const edition of site.editions) {
      for (const path of ['/inmobiliarias/:slug/consulta', '/inmobiliarias/:slug/:code/consulta']) {
        const url = edition.prefix + path
        pages.get(url, onSubject(deps, edition, show))
        pages.post(url, { bodyLimit }, onSubject(deps, edition, receive))
        refuseMethods(pages, url, notOfForms)
      }
    }
  })
}

/** `gone`: the listing that was asked about is not public any more, and what is asked is about the agency. */
type Subject = Readonly<{ about: About; gone: PublicListing | null }>

/** Null where there is nothing to ask about, or nobody who takes it. */
async function aboutWhat(
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

type Answer = (
  deps: Deps,
  edition: Edition,
  subject: Subject,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply>

/** A request for the form, or one that it sent, where there is something to ask about. */
const onSubject =
  (deps: Deps, edition: Edition, answer: Answer) => async (request: FastifyRequest, reply: FastifyReply) => {
    const { slug = '', code } = request.params as { slug?: string; code?: string }
    const agency = await findPublicAgency(deps.db, slug, deps.clock)
    const subject = await edition.site.gate(request.ip, agency?.id ?? null, () =>
      aboutWhat(deps, agency, code),
    )
    if (subject === null) return missing(deps, edition, request, reply)
    return answer(deps, edition, subject, request, reply)
  }

async function show(
  deps: Deps,
  edition: Edition,
  { about, gone }: Subject,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const isSent = new URLSearchParams((request.raw.url ?? '').split('?')[1]).has('sent')
  if (isSent) return sendUnkept(request, reply, 200, sentPage(edition, about))
  if (gone !== null) {
    const { agency } = about
    const { db } = await atAgency(deps, agency.id)
    const similar = await edition.site.gate(request.ip, agency.id, () =>
      findSimilar(db, gone, mostSimilar, deps.roughPlace),
    )
    const path = askedPath(edition, request.raw.url ?? '')
    return sendUnkept(request, reply, 410, goneListingPage({ edition, path }, agency, similar))
  }
  const message = edition.words.enquiry.opening(about.listing !== null)
  const form = { name: '', email: '', phone: '', message, token: newToken(deps, about) }
  return sendUnkept(request, reply, 200, enquiryPage(edition, about, form, {}))
}

/** Says that there is none, or leads to where the form of an agency is that has another slug since. */
async function missing(
  { db, clock }: Deps,
  edition: Edition,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { slug = '', code = null } = request.params as { slug?: string; code?: string }
  const isSlug = (await findPublicAgency(db, slug, clock)) !== null
  const successor = isSlug ? null : await findSuccessor(db, slug)
  if (successor !== null && (code === null || asPublicId(code) !== null)) {
    const to = edition.path(enquiryPath(successor, code))
    const status = request.method === 'POST' ? 308 : 301
    return reply.code(status).header('cache-control', 'no-store').header('location', to).send()
  }
  const path = askedPath(edition, request.raw.url ?? '')
  return sendUnkept(request, reply, 404, missingPage({ edition, path }))
}

async function receive(
  deps: Deps,
  edition: Edition,
  { about, gone }: Subject,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const sent = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
  const form = { ...typedIn(sent), token: newToken(deps, about) }
  const done = () =>
    reply
      .code(303)
      .header('cache-control', 'no-store')
      .header('location', `${edition.path(formPath(about))}?sent`)
      .send()
  // A field that people do not see: who fills it in is told what people are told.
  if (isFilledBlindly(sent)) return done()
  const { words } = edition
  const again = (status: number, problems: Readonly<Record<string, string>>) =>
    sendUnkept(request, reply, status, enquiryPage(edition, about, form, problems))
  if (gone !== null) {
    // What was typed is not lost: it can be sent to the agency at large, which learns by the code what it was about.
    const message = `${form.message}\n\n${words.code(gone.public_id)}`
    const problems = { '': words.enquiry.gone(about.agency.name) }
    return sendUnkept(request, reply, 410, enquiryPage(edition, about, { ...form, message }, problems))
  }
  const id = readToken(deps, about, sent.get('token') ?? '')
  if (id === null) return again(400, { '': words.enquiry.stale })
  const problems = problemsOf(form, edition)
  if (Object.keys(problems).length > 0) return again(400, problems)
  try {
    await send(deps, edition, about, form, id, request)
    return done()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'rate_limited') throw error
    reply.headers(error.headers)
    return again(429, { '': words.enquiry.limited })
  }
}

async function send(
  deps: Deps,
  edition: Edition,
  { agency, listing }: About,
  form: EnquiryForm,
  formId: string,
  request: FastifyRequest,
): Promise<void> {
  // Test pages say that nothing is sent. Nothing is written either: such a form costs no more than reading the page.
  if (agency.test) return
  const { db, clock, config, secretBox, visits } = deps
  const code = listing?.public_id ?? null
  const email = form.email === '' ? null : form.email
  const phone = form.phone === '' ? null : form.phone
  await takeEnquiry(
    { db, clock, limits: config.limits },
    { ip: request.ip, email, phone },
    { agencyId: agency.id, code },
  )
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
  const isNew = await keepEnquiry(
    db,
    { id: idOf(formId, enquiry), agencyId: agency.id, enquiry },
    secretBox.seal,
    clock,
  )
  const visitor = visitorOf(request)
  if (isNew && code !== null && visitor !== null)
    visits.count(agency.id, code, 'enquiries', { ...visitor, device: formId })
}

/** The same form sent again asks nothing again; corrected, it does. */
function idOf(formId: string, enquiry: Enquiry): string {
  const digest = hash('sha256', `${formId} ${JSON.stringify(enquiry)}`)
  return digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}

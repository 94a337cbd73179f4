/**
 * The form for an enquiry to an agency, about a listing or in general. The enquiry goes to the agency by mail and is deleted once the
 * mail server has accepted it. There is no session and no cookie: the form holds a sealed token with its subject and its age. Programs
 * that send forms blindly lack the token, and an enquiry sent twice with the same token counts once.
 */
import { hash } from 'node:crypto'
import { type Enquiry, keepEnquiry, takeEnquiry } from '../../../agencies/enquiries.ts'
import type { PublicAgency } from '../../../agencies/public-agency.ts'
import { findPublicListing, type PublicListing } from '../../../listings/reading/public.ts'
import { maxSimilar } from '../../../limits/sizes.ts'
import { findSimilar } from '../../../listings/reading/similar.ts'
import type { FieldProblems } from '../../framework/fields.ts'
import {
  type About,
  type EnquiryForm,
  enquiryPath,
  formPath,
  isFilledBlindly,
  newToken,
  problemsOf,
  readToken,
  takesEnquiries,
  typedIn,
} from './enquiry-form.ts'
import { enquiryPage, sentPage } from './enquiry-view.ts'
import { goneListingPage, missingPage } from '../general/error-page-views.ts'
import type { PublicResponse, PublicPage, PublicRequest } from '../frame/public-page.ts'
import { listingPath, readsOf, type Site } from '../frame/site.ts'
import { toCurrentSlug } from '../frame/slug-redirects.ts'
import { ApiError } from '../../../platform/errors/errors.ts'
import { asPublicId } from '../../../platform/names/ids.ts'
import { oneLine } from '../../../platform/web/language/text.ts'

export const enquiryPages: readonly PublicPage[] = [
  '/inmobiliarias/:slug/consulta',
  '/inmobiliarias/:slug/:code/consulta',
].flatMap((path): PublicPage[] => [
  { method: 'GET', path, handle: (request) => onSubject(request, showForm) },
  { method: 'POST', path, handle: (request) => onSubject(request, receiveForm) },
])

/** `gone`: the requested listing is no longer public, and the enquiry is about the agency. */
type Subject = Readonly<{ about: About; gone: PublicListing | null }>

type OnSubject = (request: PublicRequest, subject: Subject) => Promise<PublicResponse>

/** Responds for the subject in the path. Without one, redirects to the agency's current slug or responds with 404. */
async function onSubject(request: PublicRequest, handle: OnSubject): Promise<PublicResponse> {
  const { edition, params, read } = request
  const { code } = params
  const agency = await request.findAgency()
  const subject = await read(agency?.id ?? null, () => findSubject(edition.site.deps, agency, code))
  if (subject !== null) return handle(request, subject)
  const isCode = code === undefined || asPublicId(code) !== null
  const redirect =
    agency === null && isCode ? await toCurrentSlug(request, (now) => enquiryPath(now, code)) : null
  return redirect ?? { page: missingPage(request), status: 404 }
}

/** Null if there is no such subject, or the agency takes no enquiries. */
async function findSubject(
  deps: Site['deps'],
  agency: PublicAgency | null,
  code: string | undefined,
): Promise<Subject | null> {
  if (agency === null || !agency.active || !takesEnquiries(deps, agency)) return null
  const inGeneral = { agency, listing: null }
  if (code === undefined) return { about: inGeneral, gone: null }
  if (asPublicId(code) === null) return null
  const db = await readsOf(deps, agency)
  const found = await findPublicListing(db, agency.id, code, deps.blurredPlace)
  if (found === null) return null
  const { listing, isGone } = found
  return isGone ? { about: inGeneral, gone: listing } : { about: { agency, listing }, gone: null }
}

async function showForm(request: PublicRequest, { about, gone }: Subject): Promise<PublicResponse> {
  const { edition, query, read } = request
  const { deps } = edition.site
  const { agency, listing } = about
  if (query.has('sent')) return { page: sentPage(edition, about), status: 200 }
  if (gone !== null) {
    const db = await readsOf(deps, agency)
    const similar = await read(agency.id, () => findSimilar(db, gone, maxSimilar, deps.blurredPlace))
    return { page: goneListingPage(request, agency, similar), status: 410 }
  }
  const message = edition.words.enquiry.opening(listing !== null)
  const form = { name: '', email: '', phone: '', message, token: newToken(deps, about) }
  return { page: enquiryPage(edition, about, form, {}), status: 200 }
}

async function receiveForm(request: PublicRequest, { about, gone }: Subject): Promise<PublicResponse> {
  const { edition } = request
  const { words, site } = edition
  const sent = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
  const form: EnquiryForm = { ...typedIn(sent), token: newToken(site.deps, about) }
  const done = { to: formPath(about), status: 303, search: 'sent' } as const
  // Programs fill in the field that people do not see. They get the same response as people.
  if (isFilledBlindly(sent)) return done
  const again = (status: number, problems: FieldProblems, shown = form, headers = {}): PublicResponse => ({
    page: enquiryPage(edition, about, shown, problems),
    status,
    headers,
  })
  if (gone !== null) {
    // The text stays in the form and can be sent to the agency. The code names the listing that it was about.
    const message = `${form.message}\n\n${words.code(gone.public_id)}`
    return again(410, { '': words.enquiry.gone(about.agency.name) }, { ...form, message })
  }
  const formId = readToken(site.deps, about, sent.get('token') ?? '')
  if (formId === null) return again(400, { '': words.enquiry.stale })
  const problems = problemsOf(form, edition)
  if (Object.keys(problems).length > 0) return again(400, problems)
  // Test pages say that nothing is sent. Nothing is written either, so the form costs no more than reading the page.
  if (about.agency.test) return done
  try {
    await storeEnquiry(request, about, form, formId)
    return done
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'rate_limited') throw error
    return again(429, { '': words.enquiry.limited }, form, error.headers)
  }
}

/** Stores the enquiry for the mail to the agency. @throws ApiError `rate_limited` */
async function storeEnquiry(
  { edition, raw, visitor }: PublicRequest,
  { agency, listing }: About,
  form: EnquiryForm,
  formId: string,
): Promise<void> {
  const { deps } = edition.site
  const { name, message } = form
  const email = form.email === '' ? null : form.email
  const phone = form.phone === '' ? null : form.phone
  const code = listing?.public_id ?? null
  await takeEnquiry(deps, { ip: raw.ip, email, phone }, { agencyId: agency.id, code })
  const about = listing && {
    code: listing.public_id,
    title: oneLine(listing.title ?? ''),
    url: edition.url(listingPath(agency.slug, listing.public_id)),
  }
  const enquiry = { name, email, phone, message, listing: about }
  const stored = { id: idOf(formId, enquiry), agencyId: agency.id, enquiry }
  const isNew = await keepEnquiry(deps.db, stored, deps.secretBox.seal, deps.clock)
  if (isNew && code !== null && visitor !== null)
    deps.visits.count(agency.id, code, 'enquiries', { ...visitor, device: formId })
}

/** The same form sent again is the same enquiry; with other contents it is a new one. */
function idOf(formId: string, enquiry: Enquiry): string {
  const digest = hash('sha256', `${formId} ${JSON.stringify(enquiry)}`)
  return digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}

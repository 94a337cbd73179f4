/** Adding, ordering and removing photos, for forms and for scripts: scripts get the current photos with every response. */
import { addPhotosByUrl, addPhotosFromFiles, checkRoom } from '../../../../../listings/gallery/add-photos.ts'
import { arrangePhotos, moved, without } from '../../../../../listings/writing/arrange-photos.ts'
import type { Listing } from '../../../../../listings/listing.ts'
import { maxPhotos, minPhotos } from '../../../../../listings/fields/publishable.ts'
import { actorOf } from '../../../actor.ts'
import { failed, type Flash, succeeded } from '../../../serving/flash.ts'
import { formHandler } from '../../../forms/form-handlers.ts'
import { photoGrid } from './photo-grid.ts'
import { photosPage } from './photos.ts'
import { photoFailureText, problemsOf, refusalText } from '../../../forms/problems.ts'
import { listingPath, auditByOperator, presentListing, versionOf } from '../../../requested-listing.ts'
import {
  agencyPages,
  type AgencyRequest,
  jsonResponse,
  type Refusal,
  withFile,
  withTestPages,
} from '../../../serving/page.ts'
import { ApiError, invalid } from '../../../../../platform/errors/errors.ts'

type Done = Readonly<{
  listing: Listing
  flash: Flash
  json: Readonly<Record<string, unknown>>
  status?: number
  headers?: Readonly<Record<string, string>>
}>

/** Responds to a form with the page again, and to a script with the outcome and the current photos. @throws ApiError 404, 413 */
async function respond(request: AgencyRequest, work: () => Promise<Done>) {
  const done = await work().catch((error: unknown) => refused(request, error))
  const { listing, flash, json, status, headers } = done
  if (!request.wantsJson) return { to: `${listingPath(request, listing)}/photos`, flash }
  return jsonResponse({ ...json, grid: String(photoGrid(request, listing)) }, status, headers)
}

async function refused(request: AgencyRequest, error: unknown): Promise<Done> {
  if (!(error instanceof ApiError)) throw error
  const { code, status, headers } = error
  if (code === 'not_found' || code === 'payload_too_large') throw error
  const texts = request.t.photos
  const words: Partial<Record<string, string>> = {
    request_timeout: texts.tooSlow,
    insufficient_photos: texts.fewest(minPhotos),
  }
  const message = words[code] ?? refusalText(request, error)
  const listing = await presentListing(request)
  return { listing, flash: failed('refused', message), json: { error: { code, message } }, status, headers }
}

/** One file. It is charged once received, and judged by its bytes; its name and declared type decide nothing. */
async function upload(request: AgencyRequest): Promise<Done> {
  const { deps, agency, t } = request
  const before = await presentListing(request)
  checkRoom(before, 1)
  return await request.receive(async (file) => {
    if (file === null) throw invalid('photo', 'There is no file.', 'photo_none')
    const actor = actorOf(request)
    const { listing, results } = await addPhotosFromFiles(deps, agency.id, before.id, actor, [file])
    const [result] = results
    if (result === undefined) throw new Error('a file has no result')
    const { status, photo, why } = result
    const whyText = why === null ? '' : photoFailureText(request, why)
    if (status === 'stored') await auditByOperator(request, 'listing_photos_changed', listing)
    const flashes = {
      stored: succeeded('photoStored'),
      duplicate: succeeded('photoDuplicate'),
      failed: failed('photoFailed', file.name, whyText),
    }
    const message = [t.photos.statuses[status], whyText].filter(Boolean).join('. ')
    return { listing, flash: flashes[status], json: { status, photo: photo ?? '', message } }
  })
}

async function arrange(request: AgencyRequest, wanted: (photos: readonly string[]) => readonly string[]) {
  const { deps, agency } = request
  const { id } = await presentListing(request)
  const listing = await arrangePhotos(deps, agency.id, id, versionOf(request), actorOf(request), wanted)
  await auditByOperator(request, 'listing_photos_changed', listing)
  return listing
}

/** Takes either the whole order, or one photo and its new position. */
async function order(request: AgencyRequest): Promise<Done> {
  const { form, t } = request
  const whole = form.getAll('order')
  const photo = form.get('photo') ?? ''
  const listing = await arrange(request, (photos) => {
    if (whole.length === 0)
      return moved(photos, photo, positionAfter(form.get('move'), photos.indexOf(photo)))
    // Photos that are not named would be removed.
    if (whole.length !== photos.length || !photos.every((one) => whole.includes(one)))
      throw new ApiError('precondition_failed')
    return whole
  })
  const message = t.photos.movedTo(listing.photos.indexOf(photo) + 1, listing.photos.length)
  return { listing, flash: succeeded('photoMoved'), json: { message } }
}

/** @throws ApiError `invalid_parameter` */
function positionAfter(move: string | null, position: number): number {
  const positions: Readonly<Record<string, number>> = { first: 0, earlier: position - 1, later: position + 1 }
  const to = Object.hasOwn(positions, move ?? '') ? positions[move ?? ''] : undefined
  if (to === undefined) throw invalid('move', 'move must be first, earlier or later.')
  return to
}

async function remove(request: AgencyRequest): Promise<Done> {
  const photo = request.form.get('photo') ?? ''
  const listing = await arrange(request, (photos) => without(photos, photo))
  const message = request.t.photos.removed(listing.photos.length)
  return { listing, flash: succeeded('photoRemoved'), json: { message } }
}

async function addByUrl(request: AgencyRequest) {
  const { deps, agency, form, format } = request
  const { id } = await presentListing(request)
  const urls = linesIn(form).filter((line) => line !== '')
  if (urls.length === 0) throw invalid('urls', 'There are no URLs.', 'urls_none')
  const { listing, results } = await addPhotosByUrl(deps, agency.id, id, actorOf(request), urls)
  const stored = results.filter(({ status }) => status === 'stored').length
  if (stored > 0) await auditByOperator(request, 'listing_photos_changed', listing)
  if (stored < urls.length) return await photosPage(request, results)
  return {
    to: `${listingPath(request, listing)}/photos`,
    flash: succeeded('photosStored', format.number(stored)),
  }
}

function linesIn(form: URLSearchParams): string[] {
  return (form.get('urls') ?? '').split('\n').map((line) => line.trim())
}

/** Shows any refusal beside the URLs, and names the lines that are wrong. */
function urlsRefusal(request: AgencyRequest, error: unknown): Refusal {
  const refusal = problemsOf(request, error)
  const { errors } = error as ApiError
  const texts = request.t.photos
  const filled = linesIn(request.form).flatMap((line, index) => (line === '' ? [] : [index + 1]))
  // The parameter is `urls[2]`, for example.
  const lines = errors.flatMap(({ parameter }) => filled[Number(/\d+/.exec(parameter)?.[0])] ?? [])
  let [urls = ''] = Object.values(refusal.problems)
  if (refusal.code === 'too_many_photos') urls = texts.urlsMany(maxPhotos)
  if (lines.length > 0) urls = texts.urlsOdd(lines.join(', '))
  return { ...refusal, problems: { urls } }
}

const actPages = (path: string, act: (request: AgencyRequest) => Promise<Done>) =>
  agencyPages('POST', `/listings/:listing/photos${path}`, 'agency', (request) =>
    respond(request, () => act(request)),
  )

const addingByUrl = formHandler(addByUrl, photosPage, urlsRefusal)

export const photoPages = withTestPages([
  ...agencyPages('GET', '/listings/:listing/photos', 'agency', (request) => photosPage(request)),
  ...withFile(actPages('', upload)),
  ...actPages('/order', order),
  ...actPages('/remove', remove),
  ...agencyPages('POST', '/listings/:listing/photos/urls', 'agency', addingByUrl),
])

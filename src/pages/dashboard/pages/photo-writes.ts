/**
 * Adding, ordering and removing photos, for forms and for scripts: scripts get the current photos with every response.
 */
import { ApiError, invalid } from '../../../platform/errors.ts'
import { sizeLimits } from '../../../limits/table.ts'
import {
  addPhotosByUrl,
  addPhotosFromFiles,
  arrangePhotos,
  checkRoom,
  moved,
  without,
} from '../../../listings/gallery/add-photos.ts'
import type { Listing } from '../../../listings/listing.ts'
import { maxPhotos, minPhotos } from '../../../listings/publishable.ts'
import { authorOf, note } from '../actor.ts'
import { presentListing, versionOf } from '../requested-listing.ts'
import { failed, type Flash, succeeded } from '../flash.ts'
import { photoFailureText } from '../photo-failure.ts'
import { refusalText } from '../problems.ts'
import {
  agencyPages,
  type AgencyVisit,
  jsonAnswer,
  type Page,
  type PageAnswer,
  withTestPages,
  withUpload,
} from '../visit.ts'
import { photoGrid } from './photo-grid.ts'
import { photosPage, photosPath } from './photos.ts'

const onePhoto = { files: 1, bytes: sizeLimits.photo_bytes }

/** The page again, or for a script the outcome and the current photos. */
function done(
  visit: AgencyVisit,
  listing: Listing,
  flash: Flash,
  answer: Readonly<Record<string, string>>,
): PageAnswer {
  if (visit.wantsJson) return jsonAnswer({ ...answer, grid: String(photoGrid(visit, listing)) })
  return { to: photosPath(visit, listing), flash }
}

/** Shows a refusal on the page that sent the form. @throws other errors */
async function orRefused(visit: AgencyVisit, run: () => Promise<PageAnswer>): Promise<PageAnswer> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 404 || error.status === 413) throw error
    const message = wordsFor(visit, error)
    const listing = await presentListing(visit)
    if (!visit.wantsJson) return { to: photosPath(visit, listing), flash: failed('refused', message) }
    Object.assign(visit.answerHeaders, error.headers)
    const grid = String(photoGrid(visit, listing))
    return jsonAnswer({ error: { code: error.code, message }, grid }, error.status)
  }
}

function wordsFor(visit: AgencyVisit, error: ApiError): string {
  const texts = visit.t.photos
  if (error.code === 'request_timeout') return texts.tooSlow
  return error.code === 'insufficient_photos' ? texts.fewest(minPhotos) : refusalText(visit, error)
}

/** Changes by operators are also logged in the audit log; the listing's history has all. */
async function noted(visit: AgencyVisit, listing: Listing): Promise<void> {
  if (visit.session.account.role === 'operator')
    await note(visit.deps.db, visit, 'listing_photos_changed', visit.agency.realId, listing.public_id)
}

/** One file. It is charged once received, and judged by its bytes; its name and declared type decide nothing. */
function upload(visit: AgencyVisit): Promise<PageAnswer> {
  return orRefused(visit, async () => {
    const { deps, agency, t } = visit
    const listing = await presentListing(visit)
    checkRoom(listing, 1)
    return await visit.receive(async ([file]) => {
      if (file === undefined) throw invalid('photo', 'There is no file.', 'photo_none')
      const added = await addPhotosFromFiles(deps, agency.id, listing.id, authorOf(visit), [file])
      const [result] = added.results
      if (result === undefined) throw new Error('a file has no result')
      const why = result.why === null ? '' : photoFailureText(visit, result.why)
      if (result.status === 'stored') await noted(visit, added.listing)
      const flashes = {
        stored: succeeded('photoStored'),
        duplicate: succeeded('photoDuplicate'),
        failed: failed('photoFailed', file.name, why),
      }
      const words = t.photos.statuses[result.status]
      const message = why === '' ? words : `${words}. ${why}`
      const answer = { status: result.status, photo: result.photo ?? '', message }
      return done(visit, added.listing, flashes[result.status], answer)
    })
  })
}

async function arrange(
  visit: AgencyVisit,
  wanted: (photos: readonly string[]) => readonly string[],
): Promise<Listing> {
  const { deps, agency } = visit
  const { id } = await presentListing(visit)
  const listing = await arrangePhotos(deps, agency.id, id, versionOf(visit), authorOf(visit), wanted)
  await noted(visit, listing)
  return listing
}

/** Either the whole order, or one photo and where it goes. */
function order(visit: AgencyVisit): Promise<PageAnswer> {
  return orRefused(visit, async () => {
    const { form, t } = visit
    const whole = form.getAll('order')
    const photo = form.get('photo') ?? ''
    const listing = await arrange(visit, (photos) => {
      if (whole.length === 0)
        return moved(photos, photo, positionAfter(form.get('move'), photos.indexOf(photo)))
      // Photos that are not named would be removed.
      if (whole.length !== photos.length || !photos.every((one) => whole.includes(one)))
        throw new ApiError('precondition_failed')
      return whole
    })
    const message = t.photos.movedTo(listing.photos.indexOf(photo) + 1, listing.photos.length)
    return done(visit, listing, succeeded('photoMoved'), { message })
  })
}

/** @throws ApiError `invalid_parameter` */
function positionAfter(move: string | null, position: number): number {
  const positions: Readonly<Record<string, number>> = { first: 0, earlier: position - 1, later: position + 1 }
  const to = Object.hasOwn(positions, move ?? '') ? positions[move ?? ''] : undefined
  if (to === undefined) throw invalid('move', 'move must be first, earlier or later.')
  return to
}

function remove(visit: AgencyVisit): Promise<PageAnswer> {
  return orRefused(visit, async () => {
    const photo = visit.form.get('photo') ?? ''
    const listing = await arrange(visit, (photos) => without(photos, photo))
    const message = visit.t.photos.removed(listing.photos.length)
    return done(visit, listing, succeeded('photoRemoved'), { message })
  })
}

async function addByUrl(visit: AgencyVisit): Promise<PageAnswer> {
  const { deps, agency, form, t, format } = visit
  const { id } = await presentListing(visit)
  const typed = form.get('urls') ?? ''
  const lines = typed.split('\n').map((line) => line.trim())
  const urls = lines.filter((line) => line !== '')
  const again = (text: string, status: number) =>
    photosPage(visit, { typed, problems: { urls: text }, status })
  if (urls.length === 0) return await again(t.photos.urlsNone, 400)
  try {
    const { listing, results } = await addPhotosByUrl(deps, agency.id, id, authorOf(visit), urls)
    const stored = results.filter(({ status }) => status === 'stored').length
    if (stored > 0) await noted(visit, listing)
    if (stored === urls.length)
      return { to: photosPath(visit, listing), flash: succeeded('photosStored', format.number(stored)) }
    const left = results.filter(({ status }) => status === 'failed').map(({ url }) => url)
    return await photosPage(visit, { typed: left.join('\n'), results })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 404 || error.status >= 500) throw error
    Object.assign(visit.answerHeaders, error.headers)
    if (error.code === 'too_many_photos') return await again(t.photos.urlsMany(maxPhotos), error.status)
    if (error.code !== 'invalid_parameter') return await again(refusalText(visit, error), error.status)
    return await again(t.photos.urlsOdd(linesOf(error, lines)), error.status)
  }
}

/** The numbers of the lines that `urls[2]` and the like mean. */
function linesOf({ errors }: ApiError, lines: readonly string[]): string {
  const filled = lines.flatMap((line, index) => (line === '' ? [] : [index + 1]))
  return errors
    .map(({ parameter }) => filled[Number(/\d+/.exec(parameter)?.[0])] ?? '')
    .filter((line) => line !== '')
    .join(', ')
}

export const photoPages: readonly Page[] = withTestPages([
  ...agencyPages('GET', '/listings/:listing/photos', 'agency', (visit) => photosPage(visit)),
  ...withUpload(onePhoto, agencyPages('POST', '/listings/:listing/photos', 'agency', upload)),
  ...agencyPages('POST', '/listings/:listing/photos/order', 'agency', order),
  ...agencyPages('POST', '/listings/:listing/photos/remove', 'agency', remove),
  ...agencyPages('POST', '/listings/:listing/photos/urls', 'agency', addByUrl),
])

/**
 * Serves the stored photos (api.md 13.3) and logos. The content of a URL never changes, so caches may keep it; a photo disappears with its
 * listing, a logo once it is replaced. Only people who see a deactivated agency in the dashboard get its pictures.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findSession, missingProtection } from '../../../access/accounts/sign-in/sessions.ts'
import type { Agency } from '../../../agencies/agencies.ts'
import { findLogoOwner } from '../../../agencies/public-agency.ts'
import type { Deps } from '../../../deps.ts'
import { ApiError } from '../../../platform/errors/errors.ts'
import { cookieJar, readCookies } from '../../framework/cookies.ts'
import { matchesNone } from '../../../http/responses/etag.ts'
import { asPublicId, isUuid } from '../../../platform/names/ids.ts'
import { findPhotoOwner } from '../../../listings/reading/photo-owner.ts'
import {
  isPhotoName,
  isPhotoSize,
  photoKey,
  type PhotoSize,
  previewFile,
} from '../../../listings/photos/names-and-urls.ts'
import { readPreview } from '../listing/preview.ts'

/** The agency that a picture belongs to. */
type OwningAgency = Pick<Agency, 'test_of' | 'active'>

type Params = { agency: string; listing: string; photo: string; file: string }

export function registerPhotos(app: FastifyInstance, deps: Deps): void {
  const serve = (path: string, fit: Fit, find: (params: Params) => Promise<OwningAgency | null>) =>
    app.get<{ Params: Params }>(path, async (request, reply) => {
      const { agency, photo, file } = request.params
      const version = versionOf(file)
      if (!isUuid(agency) || !isPhotoName(photo) || version === null) throw missing()
      const shown = await find(request.params)
      if (shown === null) throw missing()
      const agencyId = agency.toLowerCase()
      return await send(deps, request, reply, { agencyId, photo, version, fit, ...shown })
    })
  serve('/photos/:agency/:listing/:photo/:file', 'cover', async ({ agency, listing, photo }) => {
    const publicId = asPublicId(listing)
    return publicId === null ? null : findPhotoOwner(await deps.db.at(agency), agency, publicId, photo)
  })
  serve('/logos/:agency/:photo/:file', 'contain', ({ agency, photo }) =>
    findLogoOwner(deps.db.anywhere, agency, photo),
  )
}

/** How a preview is cropped. */
type Fit = 'cover' | 'contain'
type Version = PhotoSize | 'preview'
type ShownPhoto = OwningAgency & Readonly<{ agencyId: string; photo: string; version: Version; fit: Fit }>

/** Sends the picture, or 304. */
async function send(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  shown: ShownPhoto,
): Promise<FastifyReply> {
  const { agencyId, photo, version, active, test_of: testOf } = shown
  if (!active && !(await isForDashboard(deps, request, testOf ?? agencyId))) throw missing()
  const etag = `"${photo}.${version}"`
  const isKnown = matchesNone(request.headers['if-none-match'], etag)
  const found = isKnown ? null : await open(deps, shown)
  if (!isKnown && found === null) throw missing()
  // Set only now, because caches must not keep an error.
  reply
    .header('cache-control', active ? 'public, max-age=31536000, immutable' : 'private, no-store')
    .header('etag', etag)
    .header('x-content-type-options', 'nosniff')
    .header('cross-origin-resource-policy', active ? 'cross-origin' : 'same-origin')
  if (testOf !== null) reply.header('x-robots-tag', 'noindex, nofollow')
  if (found === null) return reply.code(304).send()
  return reply
    .type(version === 'preview' ? 'image/jpeg' : 'image/webp')
    .header('content-length', found.size)
    .send(found.body)
}

/** Whether the requester sees the agency's pages in the dashboard. */
async function isForDashboard(
  { db, clock, config }: Deps,
  { headers, ip }: FastifyRequest,
  agencyId: string,
): Promise<boolean> {
  const token = readCookies(headers.cookie)[cookieJar(config).named('session')] ?? ''
  const session = await findSession(db, token, ip, clock)
  if (session?.stage !== 'full' || missingProtection(session, config) !== null) return false
  return session.account.role === 'operator' || session.account.agency_id === agencyId
}

function versionOf(file: string): Version | null {
  if (file === previewFile) return 'preview'
  const size = file.endsWith('.webp') ? file.slice(0, -'.webp'.length) : ''
  return isPhotoSize(size) ? size : null
}

async function open(deps: Deps, { agencyId, photo, version, fit }: ShownPhoto) {
  if (version === 'preview') {
    const body = await readPreview(deps, agencyId, photo, fit)
    return body === null ? null : { body, size: body.length }
  }
  const found = await deps.photos.storage.openRead(photoKey(agencyId, photo, version))
  return found === null ? null : { body: found.stream, size: found.size }
}

function missing(): ApiError {
  return new ApiError('not_found', { message: 'There is no such picture.' })
}

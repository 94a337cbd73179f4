/**
 * Serves the stored photos (api.md 13.3). A photo's URL always has the same content, so caches may keep it; it is gone
 * with its listing.
 */
import type { FastifyInstance } from 'fastify'
import { hotStatement } from '../db/statement.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../errors.ts'
import { matchesNone } from '../http/etag.ts'
import { asPublicId, isUuid } from '../ids.ts'
import { isPhotoName, isPhotoSize, photoKey, type PhotoSize, previewFile } from '../photos/names-and-urls.ts'
import { readPreview } from './preview.ts'

const findShown = hotStatement<{ is_test: boolean }>(`
  select r.is_test from properties p join agency_revisions r on r.agency_id = p.agency_id
  where p.agency_id = $1 and p.public_id = $2 and p.deleted_at is null and $3 = any (p.photos)`)

type Params = { agency: string; listing: string; photo: string; file: string }

export function registerPhotos(app: FastifyInstance, deps: Deps): void {
  app.get<{ Params: Params }>('/photos/:agency/:listing/:photo/:file', async (request, reply) => {
    const { agency, listing, photo, file } = request.params
    const version = versionOf(file)
    const publicId = asPublicId(listing)
    if (!isUuid(agency) || publicId === null || !isPhotoName(photo) || version === null) throw missing()
    const [shown] = await findShown(await deps.db.at(agency), [agency, publicId, photo])
    if (shown === undefined) throw missing()
    const etag = `"${photo}.${version}"`
    const isKnown = matchesNone(request.headers['if-none-match'], etag)
    const found = isKnown ? null : await open(deps, agency.toLowerCase(), photo, version)
    if (!isKnown && found === null) throw missing()
    // Not before: caches must not keep an error.
    reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('etag', etag)
      .header('x-content-type-options', 'nosniff')
      .header('cross-origin-resource-policy', 'cross-origin')
    if (shown.is_test) reply.header('x-robots-tag', 'noindex, nofollow')
    if (found === null) return reply.code(304).send()
    return reply
      .type(version === 'preview' ? 'image/jpeg' : 'image/webp')
      .header('content-length', found.size)
      .send(found.body)
  })
}

type Version = PhotoSize | 'preview'

function versionOf(file: string): Version | null {
  if (file === previewFile) return 'preview'
  const size = file.endsWith('.webp') ? file.slice(0, -'.webp'.length) : ''
  return isPhotoSize(size) ? size : null
}

async function open(deps: Deps, agencyId: string, photo: string, version: Version) {
  if (version === 'preview') {
    const body = await readPreview(deps, agencyId, photo)
    return body === null ? null : { body, size: body.length }
  }
  const found = await deps.photos.storage.openRead(photoKey(agencyId, photo, version))
  return found === null ? null : { body: found.stream, size: found.size }
}

function missing(): ApiError {
  return new ApiError('not_found', { message: 'There is no such photo.' })
}

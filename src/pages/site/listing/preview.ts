/**
 * The picture of a shared link: a JPEG, because many programs that show previews cannot read WebP, in the only shape that they do not crop.
 * It is made from a stored photo at the first request, and stored beside the photo.
 */
import type { PublicAgency } from '../../../agencies/public-agency.ts'
import { makePreview, previewSize } from '../../../listings/photos/image.ts'
import {
  logoPath,
  photoKey,
  previewFile,
  previewKey,
  previewUrl,
} from '../../../listings/photos/names-and-urls.ts'
import type { Deps } from '../../../deps.ts'
import { refuseLongWait } from '../../../platform/concurrency.ts'
import { realAgencyId } from '../../../limits/real-agency.ts'
import type { Listing } from '../../../listings/listing.ts'
import type { Site } from '../frame/site.ts'

export type Preview = Readonly<{ url: string; alt: string; width: number; height: number }>

/** The listing's cover as a preview; null if it has no photo. */
export function previewOf(
  { deps }: Pick<Site, 'deps'>,
  listing: Pick<Listing, 'agency_id' | 'public_id' | 'photos'> | undefined,
  alt: string,
): Preview | null {
  const [cover] = listing?.photos ?? []
  if (listing === undefined || cover === undefined) return null
  const url = previewUrl(deps.config.publicBaseUrl, listing.agency_id, listing.public_id, cover)
  return { url, alt, ...previewSize }
}

/** For pages that belong to no agency. */
export function servicePreview({ deps: { config }, assets }: Site): Preview {
  const url = config.publicBaseUrl + assets.path('preview.jpg')
  return { url, alt: config.serviceName, ...previewSize }
}

/** The agency's logo as a preview; null if it has none. */
export function logoPreview({ deps }: Pick<Site, 'deps'>, agency: PublicAgency): Preview | null {
  if (agency.logo === null) return null
  const url = `${deps.config.publicBaseUrl}${logoPath(agency.logo_of, agency.logo, previewFile)}`
  return { url, alt: agency.name, ...previewSize }
}

/** Previews in progress, by key: equal requests share one. */
const making = new Map<string, Promise<Buffer | null>>()

/**
 * Reads the preview of a photo that a listing shows, and makes and stores it if there is none. A photo's files are deleted together, and no
 * earlier than a day after it was last shown.
 */
export async function readPreview(
  { db, photos, log }: Pick<Deps, 'db' | 'photos' | 'log'>,
  agencyId: string,
  photo: string,
  fit: 'cover' | 'contain',
): Promise<Buffer | null> {
  const key = previewKey(agencyId, photo)
  const stored = await photos.storage.read(key)
  if (stored !== null) return stored
  const made = making.get(key) ?? make()
  making.set(key, made)
  return await made

  async function make(): Promise<Buffer | null> {
    try {
      const readLarge = () => photos.storage.read(photoKey(agencyId, photo, 'large'))
      const payer = await realAgencyId(db.anywhere, agencyId)
      const bytes = await makePreview(readLarge, payer, fit).catch(refuseLongWait())
      if (bytes === null) return null
      // It can be made again.
      await photos.storage
        .put(key, bytes)
        .catch((error: unknown) =>
          log.warn({ err: error, agency_id: agencyId, photo }, 'a listing preview could not be stored'),
        )
      return bytes
    } finally {
      making.delete(key)
    }
  }
}

/**
 * The URL that each picture of a listing came from, so that setting its photos (api.md 13.7) downloads only new ones, and the URLs that
 * failed. They have their own row in photo_sources: no read of listings carries it, and no creation without photos writes it.
 */
import { isDeepStrictEqual } from 'node:util'
import { reaper } from '../../platform/db/upkeep/reaper.ts'
import { statement, type Statement } from '../../platform/db/statements/statement.ts'
import { sizeLimits } from '../../limits/sizes.ts'
import { sourceFingerprint } from '../photos/names-and-urls.ts'
import { getExisting, selectingListing } from '../reading/find.ts'
import { type Listing, wholeListing } from '../listing.ts'
import { noPhotoWarnings, type PhotoWarnings } from '../reading/warnings/photo-warnings.ts'

/** Fingerprint of a URL → name of the picture, the oldest source first. */
type PhotoSources = ReadonlyMap<string, string>

/** The notes on a listing's photos that are stored beside the listing. */
export type PhotoNotes = { sources: PhotoSources; warnings: PhotoWarnings }

export const noNotes: PhotoNotes = { sources: new Map(), warnings: noPhotoWarnings }

/** The sources in the results. Failed URLs have none. */
export function sourcesOf(results: readonly { url: string; photo: string | null }[]): PhotoSources {
  return new Map(
    results.flatMap(({ url, photo }) => (photo === null ? [] : [[sourceFingerprint(url), photo] as const])),
  )
}

/**
 * The sources of a listing after a write. Each picture keeps its first source. The latest others stay too, as many as a listing may have
 * photos: URLs with a new token each night would otherwise pile up.
 * @param found the sources in the write's downloads
 * @param photos the listing's, after the write
 * @returns `before` itself if nothing changes
 */
export function sourcesAfter(before: PhotoSources, found: PhotoSources, photos: readonly string[]) {
  const all = new Map(before)
  for (const [source, photo] of found) {
    if (all.get(source) === photo) continue
    all.delete(source)
    all.set(source, photo)
  }
  const current = [...all].filter(([, photo]) => photos.includes(photo))
  const firsts = new Map(current.toReversed().map(([source, photo]) => [photo, source]))
  const isFirst = ([source, photo]: [string, string]) => firsts.get(photo) === source
  const latest = new Set(current.filter((entry) => !isFirst(entry)).slice(-sizeLimits.photos_per_listing))
  const after = new Map(current.filter((entry) => isFirst(entry) || latest.has(entry)))
  return isDeepStrictEqual(before, after) ? before : after
}

const storePhotoNotes = statement(`
  insert into photo_sources (agency_id, property_id, sources, photos, warnings, warned_at, to_mend)
  select $1, property_id, sources, photos, warnings, warned_at, to_mend from json_populate_recordset(null::photo_sources, $2::json)
  on conflict (agency_id, property_id) do update set sources = excluded.sources, photos = excluded.photos,
    warnings = excluded.warnings, warned_at = excluded.warned_at, to_mend = excluded.to_mend`)

/** The statement that stores the notes of listings, by their uuid. The listings must be stored before. */
export function photoNotesStatement(agencyId: string, ofListings: ReadonlyMap<string, PhotoNotes>) {
  const rows = [...ofListings].map(([id, { sources, warnings }]) => ({
    property_id: id,
    sources: [...sources.keys()],
    photos: [...sources.values()],
    ...warningColumns(warnings),
  }))
  return storePhotoNotes.with([agencyId, JSON.stringify(rows)])
}

function warningColumns(warnings: PhotoWarnings) {
  const { failed, kept } = warnings
  const all = [...failed, ...(kept === null ? [] : [kept])]
  const times = all.map(({ at }) => at).toSorted()
  return {
    warnings: all.length === 0 ? null : warnings,
    warned_at: times.at(-1) ?? null,
    to_mend: all.filter((one) => !one.is_dismissed).length,
  }
}

export type Sourced = PhotoNotes & { listing: Listing }

type SourcedRow = Listing & {
  sources: string[] | null
  source_photos: string[] | null
  photo_warnings: PhotoWarnings | null
}

const selectingSourced = selectingListing<SourcedRow>(
  { columns: `${wholeListing.columns}, s.sources, s.photos as source_photos, s.warnings as photo_warnings` },
  'left join photo_sources s on s.agency_id = $1 and s.property_id = p.id',
)

/** Finds a listing, removed or not, with the notes on its photos; for `getSourced`. @param id public code or uuid */
export function sourcedStatement(agencyId: string, { id }: { id: string }): Statement<SourcedRow> {
  const [select, values] = selectingSourced(agencyId, { id })
  return select.with(values)
}

/** @param rows of `sourcedStatement`. @throws ApiError `not_found` if the listing does not exist or was removed */
export function getSourced(rows: readonly SourcedRow[]): Sourced {
  const {
    sources,
    source_photos: photos,
    photo_warnings: warnings,
    ...listing
  } = getExisting(rows) as SourcedRow
  return {
    listing,
    sources: new Map((sources ?? []).map((source, index) => [source, photos?.[index] ?? ''])),
    warnings: warnings ?? noPhotoWarnings,
  }
}

/** Deletes old warnings: their URLs may hold secrets, and after this time nobody will correct them. */
export const reapPhotoWarnings = reaper({
  table: 'photo_sources',
  key: 'agency_id, property_id',
  column: 'warned_at',
  only: 'warned_at is not null',
  keptFor: '90 days',
  clear: 'warnings = null, warned_at = null, to_mend = 0',
})

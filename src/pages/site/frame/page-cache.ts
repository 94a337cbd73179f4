/**
 * Caches pages and sitemaps of agencies, compressed, until the agency's revision or profile changes: most requests are for pages
 * that have not changed. Each process has its own, bounded in bytes; http/responses/ explains why nobody sees an older page than
 * before. So a page may depend only on its agency's data, not on the time.
 */
import { hash } from 'node:crypto'
import type { PublicAgency } from '../../../agencies/public-agency.ts'
import { type RevisionMemory, revisionMemory } from '../../../platform/memory/revision-memory.ts'
import type { Html } from '../../../platform/web/html.ts'
import { htmlType, type CompressedText, compressText } from '../../framework/send-cacheable.ts'

export type PageCache = RevisionMemory<CompressedText>

/** Bytes of an entry besides page and name. */
const overhead = 600

export function pageCache(maxBytes: number): PageCache {
  return revisionMemory(maxBytes, ({ packed }, name) => packed.length + 2 * name.length + overhead)
}

/** @param agency as just read @param name unique among the pages of the agency */
export function findCached(pages: PageCache, agency: PublicAgency, name: string): CompressedText | null {
  return pages.find(agency.id, agency.revision, wholeName(agency, name))
}

/** Finds the page, or makes it in a slot of the gate, and caches it. Equal requests wait there, and the first makes it for all. */
export async function cachedOrMade(
  pages: PageCache,
  agency: PublicAgency,
  name: string,
  read: (agencyId: string, work: () => Promise<CompressedText>) => Promise<CompressedText>,
  make: () => Promise<Html>,
  type?: string,
): Promise<CompressedText> {
  const find = () => findCached(pages, agency, name)
  return (
    find() ??
    (await read(agency.id, async () => find() ?? (await cachePage(pages, agency, name, await make(), type))))
  )
}

/** @param agency as read before anything else on the page */
export async function cachePage(
  pages: PageCache,
  agency: PublicAgency,
  name: string,
  { markup }: Html,
  type = htmlType,
): Promise<CompressedText> {
  const page = await compressText(type, markup)
  pages.keep(agency.id, agency.revision, wholeName(agency, name), page)
  return page
}

/** Contains the whole profile, so that any change to it makes another page. */
function wholeName({ now: _now, changed_at: _changedAt, ...profile }: PublicAgency, name: string): string {
  return `${name} ${hash('sha256', JSON.stringify(profile), 'base64url')}`
}

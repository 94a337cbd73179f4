/**
 * The public site and its edition in each language. Only the URL decides the language, so caches can keep both: Spanish at the URLs of
 * the contract (api.md 18.1), English under `/en`.
 */
import { readFileSync } from 'node:fs'
import type { PublicAgency } from '../../../agencies/public-agency.ts'
import type { Deps } from '../../../deps.ts'
import { atAgency } from '../../../platform/db/citus/nodes.ts'
import { readFrom } from '../../../platform/db/replica.ts'
import type { Executor } from '../../../platform/db/statements/statement.ts'
import { type RevisionMemory, revisionMemory } from '../../../platform/memory/revision-memory.ts'
import { labelAt } from '../../../listings/fields/field-lists.ts'
import type { PublishedKinds } from '../../../listings/reading/public.ts'
import { type TotalsMemory, totalsMemory } from '../../../listings/reading/list/list.ts'
import { type Assets, openAssets } from '../../../platform/web/assets.ts'
import { fontFolder, fonts, sharedStyle } from '../../../platform/web/design/design.ts'
import { type Format, formats } from '../../../platform/web/language/format.ts'
import { type PageLanguage, languages } from '../../../platform/web/language/language.ts'
import { mapBoxStyle } from '../../../platform/web/map/map.ts'
import type { Changed } from '../../framework/send-cacheable.ts'
import { type Gate, pageGate } from './gate.ts'
import { type PageCache, pageCache } from './page-cache.ts'
import { type Phrases, phrases } from '../phrases/phrases.ts'

export type Site = Readonly<{
  deps: Pick<
    Deps,
    | 'config'
    | 'db'
    | 'replica'
    | 'clock'
    | 'limits'
    | 'log'
    | 'blurredPlace'
    | 'mailer'
    | 'visits'
    | 'secretBox'
    | 'storedSecrets'
  >
  assets: Assets
  /** The path of the settings. Pages link by path, so they stay on their host. */
  basePath: string
  totals: TotalsMemory
  /** The kinds of listings that each agency publishes. */
  kinds: RevisionMemory<PublishedKinds>
  pages: PageCache
  /** Searches are cached apart from the pages: their number is unbounded, so they may displace only each other. */
  searches: PageCache
  gate: Gate
  /** When this version started, in milliseconds: no page of it is older. */
  startedAt: number
  editions: readonly Edition[]
}>

/** The site in one language. */
export type Edition = Readonly<{
  site: Site
  language: PageLanguage
  words: Phrases
  format: Format
  /** The label of a listing's field, by its path. */
  label: (field: string) => string
  /** The beginning of every path in this language. */
  prefix: string
  /** A page's path below the host. @param page the path of the Spanish page, such as `/inmobiliarias/rio` */
  path: (page: string) => string
  /** A page's whole URL. */
  url: (page: string) => string
}>

export function openSite(deps: Site['deps']): Site {
  const { publicBaseUrl, basePath } = deps.config
  const startedAt = Date.now() + deps.clock.offsetMs
  const editions: Edition[] = []
  const site = {
    deps,
    assets,
    basePath,
    totals: totalsMemory(),
    kinds: revisionMemory<PublishedKinds>(5_000, () => 1),
    // A half and an eighth of the size of the API's response cache.
    pages: pageCache(deps.config.responseCacheMegabytes * 2 ** 19),
    searches: pageCache(deps.config.responseCacheMegabytes * 2 ** 17),
    gate: pageGate(deps),
    startedAt,
    editions,
  }
  for (const language of languages) {
    const prefix = language === 'es' ? '' : `/${language}`
    editions.push({
      site,
      language,
      words: phrases[language],
      format: formats[language],
      label: (field) => labelAt(field, language) ?? field,
      prefix,
      path: (page) => `${basePath}${prefix}${page}`,
      url: (page) => `${publicBaseUrl}${prefix}${page}`,
    })
  }
  return site
}

export function agencyPath(slug: string): string {
  return `/inmobiliarias/${slug}`
}

export function listingPath(slug: string, publicId: string): string {
  return `${agencyPath(slug)}/${publicId}`
}

/** Where pages read an agency's listings: at its node, and from a replica that is as new as `agency`. */
export async function readsOf(deps: Site['deps'], agency: PublicAgency): Promise<Executor> {
  return readFrom(await atAgency(deps, agency.id), agency)
}

/** The date is read before the listings, so the page may be newer than the date but never older. */
export function changeOf({ startedAt }: Site, { changed_at: changedAt, now }: PublicAgency): Changed {
  return { ms: Math.max(Date.parse(changedAt), startedAt), nowMs: Date.parse(now) }
}

const read = (name: string) => readFileSync(new URL(`../assets/${name}`, import.meta.url))
const scripts = ['first.js', 'gallery.js', 'search.js', 'share.js', 'contact.js', 'listings-map.js']

/** The files that public pages load. Nothing comes from another origin. */
const assets = openAssets(fontFolder, {
  ...fonts,
  'style.css': Buffer.concat([
    sharedStyle(''),
    mapBoxStyle,
    ...['style.css', 'search.css', 'listing.css', 'maps.css'].map(read),
  ]),
  ...Object.fromEntries(
    [...scripts, 'enquiry.css', 'icon.svg', 'preview.jpg'].map((name) => [name, read(name)]),
  ),
})

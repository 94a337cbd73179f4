/**
 * What all public pages share: the settings they show, their files, and the addresses they link to.
 */
import type { Deps } from '../deps.ts'
import { type TotalsMemory, totalsMemory } from '../properties/list.ts'
import { type Assets, readAssets } from './assets.ts'
import type { PageLanguage } from '../web/language.ts'
import { languagePrefix } from './language.ts'

export type Site = {
  deps: Pick<Deps, 'config' | 'db' | 'replica' | 'clock' | 'log'>
  assets: Assets
  /** The path in PUBLIC_BASE_URL, without a trailing slash; often empty. Pages link by path, so they stay on the host they came from. */
  basePath: string
  totals: TotalsMemory
  /** Since when these sources run, in milliseconds: nothing they print is older. */
  startedAt: number
}

export async function openSite(deps: Site['deps']): Promise<Site> {
  return {
    deps,
    assets: await readAssets(),
    basePath: new URL(deps.config.publicBaseUrl).pathname.replace(/\/+$/, ''),
    totals: totalsMemory(),
    startedAt: Date.now() + deps.clock.offsetMs,
  }
}

/** A page's path in a language, below the host. `path` is that of the Spanish page, from `/inmobiliarias` on. */
export function pathIn({ basePath }: Site, language: PageLanguage, path: string): string {
  return `${basePath}${languagePrefix(language)}${path}`
}

/** A page's whole address in a language. */
export function addressIn({ deps }: Site, language: PageLanguage, path: string): string {
  return `${deps.config.publicBaseUrl}${languagePrefix(language)}${path}`
}

export function agencyPath(slug: string): string {
  return `/inmobiliarias/${slug}`
}

export function listingPath(slug: string, publicId: string): string {
  return `${agencyPath(slug)}/${publicId}`
}

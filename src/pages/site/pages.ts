/** Registers everything outside the API and the dashboard: public pages, photos, tiles, the documentation, sitemaps and fixed files. */
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { agencyPages } from './agency/agency-pages.ts'
import { listingPages } from './listing/listing-pages.ts'
import { contactPresses } from './listing/contact-presses.ts'
import { registerDocs } from './docs/docs.ts'
import { enquiryPages } from './enquiries/enquiry.ts'
import { registerFixedFiles } from './files/fixed-files.ts'
import { registerPhotos } from './files/photos.ts'
import { type PublicPage, registerPublicPages } from './frame/public-page.ts'
import type { Site } from './frame/site.ts'
import { registerSitemaps } from './files/sitemap.ts'
import { startPage } from './general/start.ts'
import { termsPage } from './general/terms.ts'
import { registerTiles } from './files/tiles.ts'
import { unsubscribePages } from './general/unsubscribe.ts'
import { registerAccents } from '../../platform/web/design/accent.ts'
import { mapAssets } from '../../platform/web/map/map.ts'

const pages: readonly PublicPage[] = [startPage, termsPage, ...agencyPages, ...listingPages]

/** @param endpoints the API's, for the reference */
export async function registerSite(
  app: FastifyInstance,
  deps: Deps,
  endpoints: readonly Endpoint[],
  site: Site,
): Promise<void> {
  registerPhotos(app, deps)
  registerTiles(app, deps)
  registerDocs(app, deps, endpoints)
  site.assets.register(app)
  registerAccents(app)
  mapAssets.register(app)
  registerSitemaps(app, site)
  await registerPublicPages(app, site, pages)
  await registerPublicPages(app, site, enquiryPages, {
    type: 'application/x-www-form-urlencoded',
    bytes: 65_536,
    parse: (body) => new URLSearchParams(body),
  })
  // Mail programs send one line, in one of two encodings. Its content does not matter.
  await registerPublicPages(app, site, unsubscribePages, { type: '*', bytes: 10_000, parse: () => null })
  await registerPublicPages(app, site, contactPresses, { type: '*', bytes: 100, parse: (body) => body })
  app.get('/en', async (_request, reply) => reply.code(308).header('location', `${site.basePath}/en/`).send())
  registerFixedFiles(app, site)
}

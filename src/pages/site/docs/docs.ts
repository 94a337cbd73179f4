/**
 * The documentation: the reference at /docs, generated from the service's own OpenAPI document (api.md 15.4), and below it the guides,
 * the page of errors and the contract. It is readable without scripts and loads nothing from other origins.
 */
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import type { Endpoint } from '../../../http/endpoint.ts'
import { openApi } from '../../../http/openapi/document.ts'
import { apiPrefix } from '../../../http/routes.ts'
import { openAssets } from '../../../platform/web/assets.ts'
import { sharedStyle } from '../../../platform/web/design/design.ts'
import { securityHeaders } from '../../../platform/web/security-headers.ts'
import { jsonType } from '../../../http/responses/response.ts'
import {
  htmlType,
  type CompressedText,
  compressText,
  sendCompressed,
} from '../../framework/send-cacheable.ts'
import { contractView, readContract } from './contract.ts'
import { type OpenApiDocument, routesOf } from './reference/openapi-document.ts'
import { errorsView } from './errors-view.ts'
import { type Guide, guideNames, guideView, readGuides } from './guides.ts'
import { type Chapter, docsDocument, type DocsPage } from './docs-document.ts'
import { referenceView } from './reference/reference-view.ts'
import { searchEntries } from './search-entries.ts'

/** The forms that try operations are never submitted: a script sends their requests. */
const headers = securityHeaders({ 'form-action': "'none'" }, 'same-origin')

const scripts = ['docs-choices.js', 'docs.js', 'docs-element.js', 'docs-requests.js', 'docs-search.js']

const own = (name: string) => readFileSync(new URL(`../assets/${name}`, import.meta.url))
const assets = openAssets('/docs', {
  'docs.css': Buffer.concat([sharedStyle('../site/', true), own('docs.css')]),
  ...Object.fromEntries(scripts.map((name) => [name, own(name)])),
  'icon.svg': own('icon.svg'),
})

/** @param endpoints the API's, for the reference */
export function registerDocs(
  app: FastifyInstance,
  { config }: Pick<Deps, 'config'>,
  endpoints: readonly Endpoint[],
): void {
  let written: Promise<Record<string, CompressedText>> | undefined
  for (const path of ['', '/errors', '/contract', '/search.json', ...guideNames.map(guidePath)]) {
    app.get(`/docs${path}`, async (request, reply) => {
      // Generated at the first request, so that a start does not wait for it.
      const texts = await (written ??= textsOf(config, endpoints))
      return sendCompressed(request, reply.headers(headers), texts[path] as CompressedText)
    })
  }
  // Relative, because a proxy may add a path that only the browser knows.
  for (const [path, target] of [
    ['/docs/', '../docs'],
    ['/docs/errors/', '../errors'],
    ['/docs/contract/', '../contract'],
    ['/docs/guides', '../docs'],
    ['/docs/guides/', '../../docs'],
  ] as const) {
    app.get(path, async (_request, reply) => reply.code(308).header('location', target).send())
  }
  assets.register(app)
}

const guidePath = (name: string) => `/guides/${name}`

/** The pages and the search index, by their path below `/docs`. */
async function textsOf(
  { serviceName, publicBaseUrl: baseUrl }: Deps['config'],
  endpoints: readonly Endpoint[],
): Promise<Record<string, CompressedText>> {
  const service = { serviceName, baseUrl }
  const document = JSON.parse(JSON.stringify(openApi(endpoints, service))) as OpenApiDocument
  const guides = readGuides(service)
  const contract = readContract(service)
  const frame = { serviceName, assets, contents: contentsOf(document, guides) }
  const context = {
    document,
    apiUrl: `${baseUrl}${apiPrefix}`,
    baseUrl,
    testPrefix: `${serviceName.toLowerCase()}_test_`,
  }
  const pages: [path: string, DocsPage][] = [
    ['', referenceView(context, serviceName, guides)],
    ['/errors', errorsView(service)],
    ['/contract', contractView(contract)],
    ...guides.map((guide): [string, DocsPage] => [guidePath(guide.name), guideView(guide, guides)]),
  ]
  const search = JSON.stringify(searchEntries(document, guides, contract))
  const texts: Record<string, CompressedText> = { '/search.json': await compressText(jsonType, search) }
  for (const [path, page] of pages)
    texts[path] = await compressText(htmlType, docsDocument(frame, page).markup)
  return texts
}

function contentsOf(document: OpenApiDocument, guides: readonly Guide[]): Chapter[] {
  const routes = routesOf(document)
  const chapter = (title: string, links: Readonly<Record<string, string>>) => ({
    title,
    links: Object.entries(links).map(([href, text]) => ({ href, text })),
  })
  return [
    chapter('Guides', Object.fromEntries(guides.map(({ name, title }) => [`docs/guides/${name}`, title]))),
    chapter('Reference', {
      docs: 'Overview',
      'docs#rules': 'Conventions',
      'docs/errors': 'Errors',
      'docs/contract': 'The contract',
      'docs#headers': 'Response headers',
      'docs#models': 'Models',
    }),
    ...document.tags.map(({ name }) => ({
      title: name,
      links: routes
        .filter(({ operation }) => operation.tags.includes(name))
        .map(({ method, operation: { operationId, summary } }) => ({
          href: `docs#${operationId}`,
          text: summary,
          method,
        })),
    })),
    chapter('More', { dashboard: 'Dashboard', terms: 'Terms of use' }),
  ]
}

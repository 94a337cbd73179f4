/**
 * The documentation: the reference at /docs, written from the service's own OpenAPI document (api.md 15.4), and below it the guides,
 * the page of errors and the contract. All of it is readable without scripts and comes from this origin alone.
 */
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { openApi } from '../../http/openapi/document.ts'
import { apiPrefix } from '../../http/routes.ts'
import { type Assets, openAssets } from '../../platform/web/assets.ts'
import { sharedStyle } from '../../platform/web/design.ts'
import { securityHeaders } from '../../platform/web/security-headers.ts'
import { type FixedText, fixedText, htmlType, jsonType, sendFixed } from '../framework/send.ts'
import { contractView, readContract } from './docs/contract.ts'
import { type OpenApiDocument, placesOf } from './docs/document.ts'
import { errorsView, explainedErrors } from './docs/errors-view.ts'
import { guideView } from './docs/guide-view.ts'
import { type Guide, guideNames, readGuides } from './docs/guides.ts'
import { type Chapter, docsDocument } from './docs/docs-document.ts'
import { referenceView } from './docs/reference-view.ts'
import { searchEntries } from './docs/search-entries.ts'

/** The forms to try operations send their requests by script alone. */
const headers = securityHeaders({ 'form-action': "'none'" }, 'same-origin')

/** @param endpoints the API's, for the reference */
export function registerDocs(
  app: FastifyInstance,
  { config }: Pick<Deps, 'config'>,
  endpoints: readonly Endpoint[],
): void {
  const own = (name: string) => readFileSync(new URL(`assets/${name}`, import.meta.url))
  const assets = openAssets('/docs', {
    'docs.css': Buffer.concat([sharedStyle('../site/', true), own('docs.css')]),
    'docs.js': own('docs.js'),
    'icon.svg': own('icon.svg'),
  })
  let texts: ReadonlyMap<string, FixedText> | null = null
  for (const [path, type] of [
    ['/docs', htmlType],
    ...guideNames.map((name) => [`/docs/guides/${name}`, htmlType] as const),
    ['/docs/errors', htmlType],
    ['/docs/contract', htmlType],
    ['/docs/search.json', jsonType],
  ] as const) {
    app.get(path, async (request, reply) => {
      // Written at the first request, so that a start does not wait for it.
      texts ??= textsOf(config, endpoints, assets)
      return sendFixed(request, reply.headers(headers), type, texts.get(path) ?? fixedText(''))
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

/** Path → page, and the index of the search. */
function textsOf(
  { serviceName, publicBaseUrl: baseUrl }: Deps['config'],
  endpoints: readonly Endpoint[],
  assets: Assets,
): Map<string, FixedText> {
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
  const reference = docsDocument(frame, {
    title: 'API reference',
    description: `How to read and manage property listings with the API of ${serviceName}.`,
    root: '.',
    current: 'docs',
    kind: 'reference',
    body: referenceView(context, guides),
  })
  const pages = {
    '/docs': reference,
    ...Object.fromEntries(
      guides.map((guide) => [`/docs/guides/${guide.name}`, docsDocument(frame, guideView(guide, guides))]),
    ),
    '/docs/errors': docsDocument(frame, errorsView(explainedErrors(service))),
    '/docs/contract': docsDocument(frame, contractView(contract)),
    '/docs/search.json': JSON.stringify(searchEntries(document, guides, contract)),
  }
  return new Map(Object.entries(pages).map(([path, page]) => [path, fixedText(String(page))]))
}

function contentsOf(document: OpenApiDocument, guides: readonly Guide[]): Chapter[] {
  const places = placesOf(document)
  return [
    {
      title: 'Guides',
      links: guides.map(({ name, title }) => ({ href: `docs/guides/${name}`, text: title })),
    },
    {
      title: 'Reference',
      links: [
        { href: 'docs', text: 'Overview' },
        { href: 'docs#rules', text: 'Conventions' },
        { href: 'docs/errors', text: 'Errors' },
        { href: 'docs/contract', text: 'The contract' },
        { href: 'docs#headers', text: 'Response headers' },
        { href: 'docs#models', text: 'Models' },
      ],
    },
    ...document.tags.map(({ name }) => ({
      title: name,
      links: places
        .filter(({ operation }) => operation.tags.includes(name))
        .map(({ method, operation: { operationId, summary } }) => ({
          href: `docs#${operationId}`,
          text: summary,
          method,
        })),
    })),
    {
      title: 'More',
      links: [
        { href: 'dashboard', text: 'Dashboard' },
        { href: 'terms', text: 'Terms of use' },
      ],
    },
  ]
}

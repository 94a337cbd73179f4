/**
 * The interactive reference at /docs: Swagger UI with the service's own OpenAPI document (api.md 15.4), from this origin
 * alone. Only the files of @fastify/swagger-ui are used: its plugin would describe the routes a second time.
 */
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../deps.ts'
import { apiPrefix } from '../http/routes.ts'
import { type Assets, openAssets } from '../web/assets.ts'
import { html, type Html } from '../web/html.ts'
import { securityHeaders } from '../web/security-headers.ts'
import { htmlType, sendText } from './answer.ts'

const bundled = new URL('static/', import.meta.resolve('@fastify/swagger-ui'))

/** Requests go to the API beside it. */
const headers = securityHeaders(
  { 'img-src': "'self' data:", 'connect-src': "'self'", 'form-action': "'none'" },
  'same-origin',
)

/** Registers `/docs` and the files it needs. */
export async function registerDocs(app: FastifyInstance, { config }: Pick<Deps, 'config'>): Promise<void> {
  const assets = openAssets('/docs', {
    'swagger-ui.css': await readFile(new URL('swagger-ui.css', bundled)),
    'swagger-ui-bundle.js': await readFile(new URL('swagger-ui-bundle.js', bundled)),
    'docs.css': await readFile(new URL('assets/docs.css', import.meta.url)),
    'docs.js': await readFile(new URL('assets/docs.js', import.meta.url)),
  })
  const page = docsPage(config.serviceName, assets).markup
  app.get('/docs', async (request, reply) =>
    sendText(
      request,
      reply.headers(headers).header('cache-control', 'no-cache').header('vary', 'accept-encoding'),
      htmlType,
      page,
    ),
  )
  // Relative, because a proxy may add a path that only the browser knows.
  app.get('/docs/', async (_request, reply) => reply.code(308).header('location', '../docs').send())
  assets.register(app)
}

/** The page, with relative links. */
function docsPage(serviceName: string, assets: Assets): Html {
  const file = (name: string) => assets.path(name).slice(1)
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${serviceName} API reference</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${file('swagger-ui.css')}" />
        <link rel="stylesheet" href="${file('docs.css')}" />
        <script src="${file('swagger-ui-bundle.js')}" defer></script>
        <script src="${file('docs.js')}" type="module"></script>
      </head>
      <body>
        <p class="hint">
          To try the operations here, give a key under <b>Authorize</b>. Reads work with every key. Writes are
          refused here with 403 <code>origin_not_allowed</code>, because keys with a write scope admit no
          browser: run the <code>curl</code> command that is shown from a terminal.
        </p>
        <div id="swagger-ui"></div>
        <noscript
          ><p class="hint">
            This page needs JavaScript. The description itself is at
            <a href=".${apiPrefix}/openapi.json">openapi.json</a>.
          </p></noscript
        >
      </body>
    </html> `
}

/**
 * The interactive reference at /docs: Swagger UI on the service's own OpenAPI document (spec 'GET /openapi.json'), from this
 * origin alone. The files come out of @fastify/swagger-ui; its plugin would want to describe the routes anew.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { apiPrefix } from '../http/routes.ts'
import { takesGzip } from '../web/gzip.ts'

type Asset = { type: string; content: Buffer; packed: Buffer; version: string }

const bundled = new URL('static/', import.meta.resolve('@fastify/swagger-ui'))
const css = 'text/css; charset=utf-8'
const javascript = 'text/javascript; charset=utf-8'

/** Only what the page itself serves, and requests to the API beside it. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const style = `
body { margin: 0; background: #fafafa; }
.hint { max-width: 1460px; box-sizing: border-box; margin: 0 auto; padding: 1rem 20px 0; font: 14px/1.5 sans-serif; color: #3b4151; }
`

// Addresses are relative to the page, and the server is the one the page came from: so the reference also works behind a proxy
// that adds a path, and under another name than the public one. Nobody types a signature, so its fields are left out. The key is
// forgotten with the page.
const start = `
const base = document.baseURI
const response = await fetch(new URL('.${apiPrefix}/openapi.json', base))
const spec = await response.json()
for (const operation of Object.values(spec.paths).flatMap(Object.values)) {
  operation.security = operation.security.filter((schemes) => !('signature' in schemes))
}
delete spec.components.securitySchemes.signatureTimestamp
delete spec.components.securitySchemes.signature
spec.servers = [{ url: new URL('.${apiPrefix}', base).href, description: 'This service' }]
SwaggerUIBundle({
  spec,
  dom_id: '#swagger-ui',
  presets: [SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  deepLinking: true,
  validatorUrl: null,
  persistAuthorization: false,
  displayRequestDuration: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
})
`

/** Registers `/docs` and the files it needs. */
export async function registerDocs(app: FastifyInstance, { config }: Pick<Deps, 'config'>): Promise<void> {
  const assets = new Map<string, Asset>([
    ['swagger-ui.css', await asset(css, await readFile(new URL('swagger-ui.css', bundled)))],
    [
      'swagger-ui-bundle.js',
      await asset(javascript, await readFile(new URL('swagger-ui-bundle.js', bundled))),
    ],
    ['docs.css', await asset(css, Buffer.from(style))],
    ['docs.js', await asset(javascript, Buffer.from(start))],
  ])
  const page = await asset('text/html; charset=utf-8', Buffer.from(docsPage(config.serviceName, assets)))

  await app.register(async (docs) => {
    docs.addHook('onSend', async (_request, reply) => {
      reply
        .header('content-security-policy', contentSecurityPolicy)
        .header('x-content-type-options', 'nosniff')
        .header('referrer-policy', 'same-origin')
        .header('vary', 'accept-encoding')
    })
    docs.get('/docs', async (request, reply) =>
      send(page, request, reply.header('cache-control', 'no-cache')),
    )
    // Relative, because a proxy may add a path that only the browser knows.
    docs.get('/docs/', async (_request, reply) => reply.code(308).header('location', '../docs').send())
    for (const [name, file] of assets) {
      // The page asks for a version, so what it gets never changes.
      docs.get(`/docs/${name}`, async (request, reply) =>
        send(file, request, reply.header('cache-control', 'public, max-age=31536000, immutable')),
      )
    }
  })
}

async function asset(type: string, content: Buffer): Promise<Asset> {
  const version = createHash('sha256').update(content).digest('base64url').slice(0, 16)
  return { type, content, packed: await promisify(gzip)(content), version }
}

function send({ type, content, packed }: Asset, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.type(type)
  if (!takesGzip(request)) return reply.send(content)
  return reply.header('content-encoding', 'gzip').send(packed)
}

function docsPage(serviceName: string, assets: ReadonlyMap<string, Asset>): string {
  const versioned = (name: string) => `docs/${name}?v=${assets.get(name)?.version}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${serviceName} API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${versioned('swagger-ui.css')}">
<link rel="stylesheet" href="${versioned('docs.css')}">
<script src="${versioned('swagger-ui-bundle.js')}" defer></script>
<script src="${versioned('docs.js')}" type="module"></script>
</head>
<body>
<p class="hint">To try the operations here, give a key under <b>Authorize</b>. Reads work with every key. Writes are refused here with 403
<code>origin_not_allowed</code>, because keys with a write scope admit no browser: run the <code>curl</code> command that is shown from a terminal.</p>
<div id="swagger-ui"></div>
<noscript><p class="hint">This page needs JavaScript. The description itself is at <a href=".${apiPrefix}/openapi.json">openapi.json</a>.</p></noscript>
</body>
</html>
`
}

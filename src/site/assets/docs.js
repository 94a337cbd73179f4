// URLs are relative to the page, and the server is the page's own: so the reference also works behind a proxy that adds a path, and
// under another name than the public one. Nobody types a signature, so its fields are left out. The page does not store the key.
const base = document.baseURI
const response = await fetch(new URL('./api/v1/openapi.json', base))
const spec = await response.json()
for (const operation of Object.values(spec.paths).flatMap(Object.values)) {
  operation.security = operation.security.filter((schemes) => !('signature' in schemes))
}
delete spec.components.securitySchemes.signatureTimestamp
delete spec.components.securitySchemes.signature
spec.servers = [{ url: new URL('./api/v1', base).href, description: 'This service' }]
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

/** Synonyms for the documentation's search: links to entries, and the English and Spanish words that find them. */
export const synonyms: Readonly<Record<string, string>> = {
  'docs#listProperties docs#listChanges docs#reading docs/contract#144-pages':
    'pagination paginate paging page pages next cursor paginación página',
  'docs/guides/trying docs/guides/trying#test-keys docs/contract#28-test-keys':
    'sandbox staging test testing environment demo prueba pruebas',
  'docs/guides/trying#dry-runs docs/contract#191-a-dry-run':
    'dry run preview simulate simulation validate simular',
  'docs#listChanges docs/contract#145-keeping-a-copy':
    'webhook webhooks callback push event events poll polling subscribe novedades',
  'docs/guides/nightly-sync docs#listChanges docs#keeping-a-copy docs/guides/website':
    'sync synchronize mirror copy replicate delta incremental sincronizar',
  'docs/guides/limits docs/errors#rate_limited docs#limits docs#getMe':
    'rate limit limits throttle throttling quota quotas too many requests 429 backoff límite cuota',
  'docs#setPhotos':
    'delete remove drop order reorder sort replace cover main photo photos picture image images borrar foto imagen',
  'docs#addPhotos docs/guides/photos':
    'upload add attach photo photos picture pictures image images subir foto imagen',
  'docs/guides/errors-and-retries docs/contract#72-the-same-request-again':
    'retry retries repeat resend timeout network reintentar',
  'docs#writing docs/contract#71-the-key': 'idempotency idempotent idempotencia twice',
  'docs/guides/first-load docs#batchProperties': 'import bulk initial migration migrate onboarding importar',
  'docs#batchProperties docs/contract#161-items': 'bulk many multiple several lote',
  'docs#keys docs/contract#21-sending-the-key docs/guides/first-call docs#getMe':
    'authentication authenticate authorization auth login token bearer api key keys credential clave',
  'docs/guides/signing docs#signed-requests docs/contract#32-the-signed-text':
    'hmac sign signature secret firma firmar',
  'docs/contract#23-scopes docs#keys': 'permission permissions role access scope permiso',
  'docs#browsers docs/contract#26-browsers': 'cors browser javascript frontend origin navegador',
  'docs/guides/website docs/contract#81-etag-and-if-none-match docs#reading':
    'cache caching etag conditional 304 caché',
  'docs/contract#82-if-match docs/errors#precondition_failed':
    'conflict concurrency concurrent lost update overwrite lock version etag',
  'docs/guides/first-call': 'quickstart quick start getting started tutorial hello empezar',
  'docs/guides/nightly-sync docs/guides/first-load': 'sdk client library npm package librería',
  'docs#createProperty docs/guides/first-call':
    'create add new post publish listing property crear propiedad',
  'docs#putProperty': 'upsert create or update put crear actualizar',
  'docs#patchProperty': 'update change edit modify patch editar modificar',
  'docs#disableProperty docs/contract#113-closing':
    'unpublish deactivate pause hide suspend sold rented reserved close disable despublicar vendida alquilada',
  'docs#enableProperty docs/contract#112-publishing': 'publish activate enable republish publicar',
  'docs#deleteProperty docs/contract#114-deletion':
    'delete remove destroy listing property borrar eliminar propiedad',
  'docs#listProperties docs/contract#142-search': 'find query filter search buscar filtrar',
  'docs#getProperty': 'get fetch read show listing property',
  'docs#geocode docs/contract#121-coordinates':
    'coordinates latitude longitude map geocoding address location mapa dirección',
  'docs/guides/errors-and-retries docs/contract#51-the-envelope': 'status code codes error errors http',
  'docs#getOpenApi': 'swagger openapi schema specification postman',
  'docs#getHealth': 'ping uptime alive monitoring health',
  'docs/guides/portal-feed docs#listChanges': 'export portal zonaprop argenprop mercadolibre xml feed',
}

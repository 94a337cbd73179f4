/**
 * Readers' own words, in English and Spanish, for what the documentation calls otherwise: the search finds entries by them too.
 */

/** Words, and the entries that they lead to as if they stood in their titles. */
export const synonyms: readonly (readonly [words: string, hrefs: readonly string[]])[] = [
  [
    'pagination paginate paging page pages next cursor paginación página',
    ['docs#listProperties', 'docs#listChanges', 'docs#reading', 'docs/contract#144-pages'],
  ],
  [
    'sandbox staging test testing environment demo prueba pruebas',
    ['docs/guides/trying', 'docs/guides/trying#test-keys', 'docs/contract#28-test-keys'],
  ],
  [
    'dry run preview simulate simulation validate simular',
    ['docs/guides/trying#dry-runs', 'docs/contract#191-a-dry-run'],
  ],
  [
    'webhook webhooks callback push event events poll polling subscribe novedades',
    ['docs#listChanges', 'docs/contract#145-keeping-a-copy'],
  ],
  [
    'sync synchronize mirror copy replicate delta incremental sincronizar',
    ['docs/guides/nightly-sync', 'docs#listChanges', 'docs#keeping-a-copy', 'docs/guides/website'],
  ],
  [
    'rate limit limits throttle throttling quota quotas too many requests 429 backoff límite cuota',
    ['docs/guides/limits', 'docs/errors#rate_limited', 'docs#limits', 'docs#getMe'],
  ],
  [
    'delete remove drop order reorder sort replace cover main photo photos picture image images borrar foto imagen',
    ['docs#setPhotos'],
  ],
  [
    'upload add attach photo photos picture pictures image images subir foto imagen',
    ['docs#addPhotos', 'docs/guides/photos'],
  ],
  [
    'retry retries repeat resend timeout network reintentar',
    ['docs/guides/errors-and-retries', 'docs/contract#72-the-same-request-again'],
  ],
  ['idempotency idempotent idempotencia twice', ['docs#writing', 'docs/contract#71-the-key']],
  [
    'import bulk initial migration migrate onboarding importar',
    ['docs/guides/first-load', 'docs#batchProperties'],
  ],
  ['bulk many multiple several lote', ['docs#batchProperties', 'docs/contract#161-items']],
  [
    'authentication authenticate authorization auth login token bearer api key keys credential clave',
    ['docs#keys', 'docs/contract#21-sending-the-key', 'docs/guides/first-call', 'docs#getMe'],
  ],
  [
    'hmac sign signature secret firma firmar',
    ['docs/guides/signing', 'docs#signed-requests', 'docs/contract#32-the-signed-text'],
  ],
  ['permission permissions role access scope permiso', ['docs/contract#23-scopes', 'docs#keys']],
  ['cors browser javascript frontend origin navegador', ['docs#browsers', 'docs/contract#26-browsers']],
  [
    'cache caching etag conditional 304 caché',
    ['docs/guides/website', 'docs/contract#81-etag-and-if-none-match', 'docs#reading'],
  ],
  [
    'conflict concurrency concurrent lost update overwrite lock version etag',
    ['docs/contract#82-if-match', 'docs/errors#precondition_failed'],
  ],
  ['quickstart quick start getting started tutorial hello empezar', ['docs/guides/first-call']],
  ['sdk client library npm package librería', ['docs/guides/nightly-sync', 'docs/guides/first-load']],
  [
    'create add new post publish listing property crear propiedad',
    ['docs#createProperty', 'docs/guides/first-call'],
  ],
  ['upsert create or update put crear actualizar', ['docs#putProperty']],
  ['update change edit modify patch editar modificar', ['docs#patchProperty']],
  [
    'unpublish deactivate pause hide suspend sold rented reserved close disable despublicar vendida alquilada',
    ['docs#disableProperty', 'docs/contract#113-closing'],
  ],
  ['publish activate enable republish publicar', ['docs#enableProperty', 'docs/contract#112-publishing']],
  [
    'delete remove destroy listing property borrar eliminar propiedad',
    ['docs#deleteProperty', 'docs/contract#114-deletion'],
  ],
  ['find query filter search buscar filtrar', ['docs#listProperties', 'docs/contract#142-search']],
  ['get fetch read show listing property', ['docs#getProperty']],
  [
    'coordinates latitude longitude map geocoding address location mapa dirección',
    ['docs#geocode', 'docs/contract#121-coordinates'],
  ],
  [
    'status code codes error errors http',
    ['docs/guides/errors-and-retries', 'docs/contract#51-the-envelope'],
  ],
  ['swagger openapi schema specification postman', ['docs#getOpenApi']],
  ['ping uptime alive monitoring health', ['docs#getHealth']],
  ['export portal zonaprop argenprop mercadolibre xml feed', ['docs/guides/portal-feed', 'docs#listChanges']],
]

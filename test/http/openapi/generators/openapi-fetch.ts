/** The task with openapi-typescript and openapi-fetch. */
import createClient from 'openapi-fetch'
import type { components, paths } from './openapi-typescript/schema.ts'
import type { Report, Task } from './task.ts'

type Listing = components['schemas']['PropertyInput']
type Problem = paths['/properties']['post']['responses'][
  | 400
  | 409
  | 422
  | 429]['content']['application/json']['error']

export async function run({ baseUrl, key, signedKey, sign, photos }: Task): Promise<Report> {
  const client = createClient<paths>({ baseUrl, headers: { 'x-api-key': key } })
  const house: Listing = {
    external_id: 'generated-1',
    title: 'Casa con jardín',
    type: 'Casa',
    price: { amount: 100_000, currency: 'USD' },
  }
  const create = (body: Listing, idempotencyKey: string) =>
    client.POST('/properties', { params: { header: { 'Idempotency-Key': idempotencyKey } }, body })

  const { data: created, error } = await create(house, 'create-1')
  if (error !== undefined) throw new Error(error.error.message)
  if (created.dry_run) throw new Error('only tried')
  const { id, missing, price } = created.data
  const amount: number | null | undefined = price.amount
  if (amount !== 100_000) throw new Error('another price')

  const list = await client.GET('/properties', {
    params: { query: { status: 'all', sort: 'updated', per_page: 50, min_price: 1, currency: 'USD' } },
  })
  const some = await client.GET('/properties', { params: { query: { status: 'all', fields: 'id,status' } } })
  const [first] = some.data?.data ?? []
  if (list.data === undefined || first === undefined) throw new Error('no list')

  const batch = await client.POST('/properties/batch', {
    params: { header: { 'Idempotency-Key': 'batch-01' } },
    body: {
      items: [
        { external_id: 'generated-2', title: 'Lote en Pilar', type: 'Lote' },
        { action: 'create', external_id: 'generated-1', title: 'Dos veces' },
        { action: 'update', external_id: 'generated-2', amenities: ['Gas natural'], description: null },
        { action: 'disable', external_id: 'generated-2', reason: 'sold', close_price: 90_000 },
        { action: 'enable', external_id: 'generated-2' },
        { action: 'delete', external_id: 'generated-2' },
        // @ts-expect-error: a removal takes no title
        { action: 'delete', external_id: 'generated-3', title: 'Casa' },
      ],
    },
  })
  if (batch.data === undefined) throw new Error(batch.error.error.code)

  const added = await client.POST('/properties/{id}/photos', {
    params: { path: { id }, header: { 'Idempotency-Key': 'photos-1', 'If-Match': '*' } },
    body: { urls: photos },
  })
  if (added.data === undefined) throw new Error(added.error.error.code)

  const set = await client.PUT('/properties/{id}/photos', {
    params: { path: { id } },
    body: { urls: photos.slice(0, 2).toReversed() },
  })
  const changes = await client.GET('/changes', { params: { query: { limit: 100 } } })
  const tried = await client.POST('/properties', {
    params: { query: { dry_run: true }, header: { 'Idempotency-Key': 'tried-01' } },
    body: { ...house, external_id: 'generated-4' },
  })
  if (set.data === undefined || changes.data === undefined) throw new Error('no photos or changes')
  if (tried.data?.dry_run !== true) throw new Error('not tried')

  const refused = await create({ ...house, address: 'Av. Siempreviva 742', status: 'published' }, 'create-2')
  if (refused.error === undefined) throw new Error('nothing was wrong')

  const me = await client.GET('/me', {
    params: { header: sign('GET', '/api/v1/me') },
    headers: { 'x-api-key': signedKey },
  })
  if (me.data === undefined) throw new Error(me.error.error.code)
  return {
    created: { id, missing },
    listed: list.data.data.map((listing) => listing.id),
    selected: { id: first.id, title: first.title },
    batch: batch.data.results.map((result) => result.error?.code ?? result.status),
    photos: added.data.photos.map((photo) => photo.status),
    set: set.data.photos.map((photo) => photo.status),
    changes: changes.data.data.map((change) =>
      change.type === 'removed' ? change.reason : (change.property.title ?? null),
    ),
    tried: { id: tried.data.data.id, new_listings: tried.data.cost.new_listings },
    refused: explain(refused.error.error as Problem),
    agency: me.data.data.agency.slug,
  }
}

/** Does not compile unless every code of a creation has a branch. */
function explain(problem: Problem): string[] {
  switch (problem.code) {
    case 'invalid_parameter':
      return [problem.code, problem.parameter ?? '']
    case 'duplicate_property':
      return [problem.code, problem.existing_id ?? '']
    case 'not_publishable':
    case 'insufficient_photos':
      return [problem.code, ...(problem.missing ?? [])]
    case 'photo_ingest_failed':
      return [problem.code, ...(problem.photos ?? []).map(({ url }) => url)]
    case 'rate_limited':
      return [problem.code, String(problem.retry_after)]
    case 'external_id_exists':
    case 'idempotency_key_required':
    case 'idempotency_key_reuse':
    case 'idempotent_request_in_progress':
    case 'too_many_photos':
      return [problem.code]
    default:
      return problem satisfies never
  }
}

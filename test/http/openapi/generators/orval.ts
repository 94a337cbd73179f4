/** The task with orval: its client on fetch, and its schemas for zod. */
import type { z } from 'zod'
import {
  addPhotos,
  batchProperties,
  type CreateProperty400,
  type CreateProperty409,
  type CreateProperty422,
  createProperty,
  getMe,
  listChanges,
  listProperties,
  type PropertyInput,
  setPhotos,
  type TooManyRequestsResponse,
} from './orval/client.ts'
import {
  AddPhotosResponse,
  BatchPropertiesBody,
  BatchPropertiesResponse,
  CreatePropertyBody,
  CreatePropertyResponse,
  GetMeResponse,
  ListChangesResponse,
  ListPropertiesQueryParams,
  ListPropertiesResponse,
  SetPhotosResponse,
} from './orval/zod.ts'
import type { Report, Task } from './task.ts'

type Problem = (CreateProperty400 | CreateProperty409 | CreateProperty422 | TooManyRequestsResponse)['error']

export async function run({ key, signedKey, sign, photos }: Task): Promise<Report> {
  const headers = { 'x-api-key': key }
  const house: PropertyInput = {
    external_id: 'generated-1',
    title: 'Casa con jardín',
    type: 'Casa',
    price: { amount: 100_000, currency: 'USD' },
  }
  const create = (body: PropertyInput, idempotencyKey: string) =>
    createProperty(CreatePropertyBody.parse(body), undefined, {
      headers: { ...headers, 'Idempotency-Key': idempotencyKey },
    })

  const created = await create(house, 'create-1')
  if (created.status !== 201) throw new Error(created.data.error.message)
  const parsed = CreatePropertyResponse.parse(created.data)
  if (parsed.dry_run) throw new Error('only tried')
  const { id, missing, price } = parsed.data
  const amount: number | null | undefined = price.amount
  if (amount !== 100_000) throw new Error('another price')

  const query = { status: 'all', sort: 'updated', per_page: 50, min_price: 1, currency: 'USD' } as const
  const list = await listProperties(ListPropertiesQueryParams.parse(query), { headers })
  const some = await listProperties({ status: 'all', fields: 'id,status' }, { headers })
  const [first] = some.status === 200 ? ListPropertiesResponse.parse(some.data).data : []
  if (list.status !== 200 || first === undefined) throw new Error('no list')

  const items: z.input<typeof BatchPropertiesBody>['items'] = [
    { external_id: 'generated-2', title: 'Lote en Pilar', type: 'Lote' },
    { action: 'create', external_id: 'generated-1', title: 'Dos veces' },
    { action: 'update', external_id: 'generated-2', amenities: ['Gas natural'], description: null },
    { action: 'disable', external_id: 'generated-2', reason: 'sold', close_price: 90_000 },
    { action: 'enable', external_id: 'generated-2' },
    { action: 'delete', external_id: 'generated-2' },
  ]
  BatchPropertiesBody.parse({ items })
  const batch = await batchProperties(
    {
      // @ts-expect-error: a removal takes no title
      items: [...items, { action: 'delete', external_id: 'generated-3', title: 'Casa' }],
    },
    undefined,
    { headers: { ...headers, 'Idempotency-Key': 'batch-01' } },
  )
  if (batch.status !== 200) throw new Error(batch.data.error.code)

  const added = await addPhotos(
    id,
    { urls: photos },
    { headers: { ...headers, 'Idempotency-Key': 'photos-1', 'If-Match': '*' } },
  )
  if (added.status !== 200) throw new Error(added.data.error.code)

  const set = await setPhotos(id, { urls: photos.slice(0, 2).toReversed() }, { headers })
  const changes = await listChanges({ limit: 100 }, { headers })
  const tried = await createProperty(
    { ...house, external_id: 'generated-4' },
    { dry_run: true },
    {
      headers: { ...headers, 'Idempotency-Key': 'tried-01' },
    },
  )
  if (set.status !== 200 || changes.status !== 200) throw new Error('no photos or changes')
  const judged = CreatePropertyResponse.parse(tried.data)
  if (!judged.dry_run) throw new Error('not tried')

  const refused = await create({ ...house, address: 'Av. Siempreviva 742', status: 'published' }, 'create-2')
  if (refused.status === 201) throw new Error('nothing was wrong')

  const me = await getMe({ headers: { 'x-api-key': signedKey, ...sign('GET', '/api/v1/me') } })
  if (me.status !== 200) throw new Error(me.data.error.code)
  return {
    created: { id, missing },
    listed: ListPropertiesResponse.parse(list.data).data.map((listing) => listing.id),
    selected: { id: first.id, title: first.title },
    batch: BatchPropertiesResponse.parse(batch.data).results.map(
      (result) => result.error?.code ?? result.status,
    ),
    photos: AddPhotosResponse.parse(added.data).photos.map((photo) => photo.status),
    set: SetPhotosResponse.parse(set.data).photos.map((photo) => photo.status),
    changes: ListChangesResponse.parse(changes.data).data.map((change) =>
      change.type === 'removed' ? change.reason : (change.property.title ?? null),
    ),
    tried: { id: judged.data.id, new_listings: judged.cost.new_listings },
    refused: explain(refused.data.error as Problem),
    agency: GetMeResponse.parse(me.data).data.agency.slug,
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

/** `POST /properties/batch` (api.md 16). */
import Type, { type TProperties, type TSchema } from 'typebox'
import { ApiError } from '../../platform/errors/errors.ts'
import { presentedKey } from '../../http/admission/authenticate.ts'
import { passageRefused } from '../../http/admission/rate-limits.ts'
import { writeEndpoint, type WriteRequest } from '../../http/endpoint.ts'
import type { ApiResponse } from '../../http/responses/response.ts'
import { claimAlone } from '../../http/writes/idempotency.ts'
import { errorSchema } from '../../http/openapi/errors.ts'
import { sizeLimits } from '../../limits/sizes.ts'
import { listingsStatement, runBatch } from '../../listings/writing/batch.ts'
import { nullable } from '../../listings/fields/schema.ts'
import { propertySchema, dryRunPropertySchema } from '../../listings/reading/shown/shown-schema.ts'
import { batchResponse, replayBatch } from './batch-response.ts'
import { type ReadItem, readItems, shownItem } from './batch-items.ts'
import { batchResponses, batchBodies } from '../examples/creation-examples.ts'
import { addedPhotos, failedPhotosSchema } from '../writes/photo-results.ts'
import { deletedSchema, warningsSchema } from '../writes/write-schemas.ts'
import { writeListings } from '../writes/write-listings.ts'

const { request_id: _requestId, ...errorMembers } = errorSchema.properties
/** An item's error, whose paths are those of the body: `items[3].price.period`. */
const itemError = Type.Unsafe<object>({
  title: 'ItemError',
  type: 'object',
  required: ['code', 'message', 'docs'],
  properties: {
    ...errorMembers,
    existing_id: nullable<string>({
      type: 'string',
      description:
        'With `duplicate_property`: the listing that has the address. Null in a dry run, if an earlier item would create that listing.',
    }),
    photos: failedPhotosSchema,
  },
})

const deleted = deletedSchema(Type.String(), 'For a listing that the item deleted.')
const dryRunDeleted = deletedSchema(
  nullable<string>({ type: 'string' }),
  'For a listing that the item would delete; without `id` if an earlier item would create it.',
)

/** The schema of an item's result. @param more fields that only successful items have */
const resultOf = (title: string, data: TSchema, more: TProperties = {}) =>
  Type.Object(
    {
      index: Type.Integer(),
      external_id: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
      action: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
      status: Type.Integer({ description: 'The HTTP status that this item alone would have had.' }),
      data: Type.Optional(data),
      ...more,
      error: Type.Optional(itemError),
      warnings: warningsSchema,
    },
    { title },
  )
const result = resultOf('BatchResult', Type.Union([propertySchema, deleted]), {
  photos: Type.Optional(addedPhotos),
})
const dryRunResult = resultOf('TriedBatchResult', Type.Union([dryRunPropertySchema, dryRunDeleted]))
const responseOf = (one: TSchema) =>
  Type.Object({
    results: Type.Array(one),
    meta: Type.Object({ total: Type.Integer(), succeeded: Type.Integer(), failed: Type.Integer() }),
  })

export const batchProperties = writeEndpoint({
  method: 'POST',
  path: '/properties/batch',
  operationId: 'batchProperties',
  summary: `Up to ${sizeLimits.batch_items} operations`,
  description:
    'Items run in order. Each does what its single operation would do; a failed item does not stop the others. Each counts as one write.',
  tag: 'Listings',
  scope: 'properties:write',
  idempotency: 'required',
  runsDry: true,
  uncheckedList: 'items',
  maxBodyBytes: sizeLimits.batch_body_bytes,
  body: Type.Object(
    {
      items: Type.Array(Type.Unsafe<unknown>({ shownAs: shownItem }), {
        minItems: 1,
        maxItems: sizeLimits.batch_items,
        description: `1 to ${sizeLimits.batch_items} items, with up to ${sizeLimits.batch_photos} photos in total.`,
      }),
    },
    { additionalProperties: false },
  ),
  bodyExamples: batchBodies,
  responses: {
    200: {
      description: 'One result for each item, in the same order.',
      schema: responseOf(result),
      dryRunSchema: responseOf(dryRunResult),
      examples: batchResponses,
    },
  },
  errors: ['too_many_photos'],
  async run(request) {
    const { deps, caller, body, inexact, keyed } = request
    const { id } = caller.agency
    checkPhotoTotal(body.items)
    // Before the other items are charged, because a replay counts as one write.
    if (keyed !== null) await claimAlone(deps.db, keyed)
    const { granted, refuse, charged } = await chargeItems(request, body.items.length)
    const read = await readItems(deps, id, body.items.slice(0, granted), inexact)
    const items = read.map((one) => ('item' in one ? one.item : null))
    const response = await writeListings(request, listingsStatement(id, items), async (context, stored) => {
      context.dryRun?.addCost({ writes: body.items.length - 1 })
      const outcomes = await runBatch(context, deps, items, stored)
      const errorOf = (one: ReadItem | undefined) =>
        one === undefined ? refuse() : 'error' in one ? one.error : new ApiError('internal_error')
      return batchResponse(
        request,
        body.items,
        body.items.map((_sent, index) => outcomes[index] ?? { error: errorOf(read[index]) }),
      )
    })
    return { ...response, charged }
  },
  replay: replayBatch,
})

type Request = WriteRequest<unknown, unknown, { items: unknown[] }>

type Charge = {
  /** How many items may run. */
  granted: number
  /** Makes the error of each item beyond these. */
  refuse: () => ApiError
  charged: NonNullable<ApiResponse['charged']> | null
}

/** Charges every item but the first, which admission has charged. */
async function chargeItems({ deps, request, dryRun }: Request, count: number): Promise<Charge> {
  // A dry run counts as one write, whatever the real request would cost.
  if (dryRun !== null || count === 1)
    return { granted: count, refuse: () => new ApiError('rate_limited'), charged: null }
  const need = {
    key: presentedKey(request.raw),
    kind: 'writes',
    cost: count - 1,
    scope: 'properties:write',
    // Both were checked at admission.
    origin: null,
    signed: true,
  } as const
  const admitted = await deps.admit(need)
  if (admitted === null) throw new ApiError('invalid_api_key')
  const { record, passage, refusal } = admitted
  if (refusal !== null) throw new ApiError(refusal)
  if (passage === null) throw new Error('an admitted key was not charged')
  const { limits } = record
  return {
    granted: 1 + passage.granted,
    refuse: () => passageRefused(limits, 'writes', passage),
    charged: { limits, passage },
  }
}

function checkPhotoTotal(items: readonly unknown[]): void {
  const total = items.reduce<number>((sum, sent) => {
    const { photos, action: name } = (sent ?? {}) as { photos?: unknown; action?: unknown }
    return sum + (Array.isArray(photos) && name !== 'update' ? photos.length : 0)
  }, 0)
  if (total > sizeLimits.batch_photos) {
    throw new ApiError('too_many_photos', {
      message: `A batch can have up to ${sizeLimits.batch_photos} photos in total; this one has ${total}. Split it.`,
    })
  }
}

/** Spec 'POST /properties/{id}/disable'. */
import Type, { type Static } from 'typebox'
import { parseDateTime } from '../date-time.ts'
import { invalid } from '../errors.ts'
import { writeEndpoint } from '../http/endpoint.ts'
import { checkIfMatch } from '../http/etag.ts'
import { getListing } from '../properties/find.ts'
import { hasCents, type Inexact } from '../properties/payload.ts'
import { nullable } from '../properties/schema.ts'
import { type Closing, disableListing } from '../properties/states.ts'
import { currencies, type DisableReason, disableReasons } from '../properties/vocabulary.ts'
import { exampleProperty } from './examples.ts'
import { describedWrite, idParams, writeContext, written } from './shared.ts'

/** What may be said about the closing. */
export const closingProperties = {
  reason: Type.Optional(
    nullable<DisableReason>({ type: 'string', enum: disableReasons, description: 'Why it is suspended.' }),
  ),
  close_price: Type.Optional(
    Type.Unsafe<Closing['close_price']>({
      type: ['number', 'object', 'null'],
      exclusiveMinimum: 0,
      maximum: 1e12,
      properties: {
        amount: { type: 'number', exclusiveMinimum: 0, maximum: 1e12 },
        currency: { type: 'string', enum: [...currencies] },
      },
      required: ['amount', 'currency'],
      additionalProperties: false,
      description:
        'The real price, a number in the currency of the listing or with its own. With `sold` or `rented` only.',
    }),
  ),
  closed_at: Type.Optional(
    nullable<string>({
      type: 'string',
      description: 'ISO 8601; now when left out. With `sold` or `rented` only.',
    }),
  ),
}

const body = Type.Object(closingProperties, { additionalProperties: false })
export type SentClosing = Static<typeof body>

export const disableProperty = writeEndpoint({
  method: 'POST',
  path: '/properties/{id}/disable',
  operationId: 'disableProperty',
  summary: 'Suspend',
  description:
    'Stops showing a published listing. One that is suspended already changes no state, but the reason and closing data sent are recorded. A draft gives 400.',
  tag: 'States',
  scope: 'properties:write',
  idempotency: 'optional',
  params: idParams,
  body,
  bodyOptional: true,
  bodyExample: { reason: 'sold', close_price: { amount: 119000, currency: 'USD' } },
  responses: { 200: describedWrite('Suspended.', { ...exampleProperty, status: 'disabled' }) },
  errors: [
    'invalid_parameter',
    'not_found',
    'idempotent_request_in_progress',
    'precondition_failed',
    'payload_too_large',
    'unsupported_media_type',
    'idempotency_key_reuse',
  ],
  check({ body, inexact }) {
    readClosing(body, inexact)
  },
  runsAtOnce: () => true,
  prepare: async ({ body, inexact }) => readClosing(body, inexact),
  async commit(locked, input, closing) {
    const before = await getListing(locked.tx, input.caller.agency.id, input.params, true)
    checkIfMatch(input.ifMatch, before)
    const context = writeContext(locked, input)
    return written(input, await disableListing(context, before, closing), [])
  },
})

/**
 * Checks what no schema can say.
 * @param prefix of the names in errors, such as `items[3].`
 * @throws ApiError `invalid_parameter`
 */
export function readClosing(sent: SentClosing, inexact: Inexact, prefix = ''): Closing {
  const price = sent.close_price
  const amount = typeof price === 'number' ? price : price?.amount
  const name = typeof price === 'number' ? 'close_price' : 'close_price.amount'
  if (amount !== undefined && (!hasCents(amount) || inexact.has(prefix + name)))
    throw invalid(`${prefix}${name}`, `${name} has more than 2 decimals.`)
  if (sent.closed_at == null) return sent
  const moment = parseDateTime(sent.closed_at)
  if (moment === null)
    throw invalid(`${prefix}closed_at`, 'closed_at must be an ISO 8601 moment, such as 2026-11-20T09:30:00Z.')
  return { ...sent, closed_at: moment }
}

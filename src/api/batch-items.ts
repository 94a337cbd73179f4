/** Reads the items of a batch (api.md 16.2). Each is validated by its own action, so an invalid item fails alone. */
import Type, { type TSchema } from 'typebox'
import { ApiError, invalid } from '../errors.ts'
import { checkTexts } from '../http/strict-json.ts'
import { bodyCheck } from '../http/validation.ts'
import { closingProperties, readClosing, type SentClosing } from '../properties/closing.ts'
import { type BatchAction, actions, type BatchItem } from '../properties/batch.ts'
import { canonicalPayload, checkPayload, type Inexact } from '../properties/payload.ts'
import { externalIdPattern, patchProperties, type Payload, payloadProperties } from '../properties/schema.ts'

const externalId = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: externalIdPattern,
  description: 'The external id of the listing.',
})
const action = Type.Optional(
  Type.Unsafe<BatchAction>({
    type: 'string',
    enum: [...actions],
    default: 'upsert',
    description: 'What the item does.',
  }),
)
const item = (properties: Record<string, TSchema>) =>
  bodyCheck(Type.Object({ ...properties, external_id: externalId, action }, { additionalProperties: false }))

const checks: Record<BatchAction, ReturnType<typeof bodyCheck>> = {
  upsert: item(payloadProperties),
  create: item(payloadProperties),
  update: item(patchProperties),
  disable: item(closingProperties),
  enable: item({}),
  delete: item({}),
}

/** The schema of an item in the OpenAPI document. */
export const shownItem = Type.Object(
  { ...payloadProperties, ...closingProperties, external_id: externalId, action },
  {
    title: 'BatchItem',
    additionalProperties: false,
    description:
      'The other fields depend on the action: `upsert` and `create` take those of POST, `update` those of PATCH, `disable` only `reason`, `close_price` and `closed_at`; `enable` and `delete` take none.',
  },
)

/** A valid item, or the error of an invalid one. */
export type ReadItem = { item: BatchItem } | { error: ApiError }

/** Reads one item as it was sent. Returns its error instead of throwing it. */
export function readItem(sent: unknown, index: number, inexact: Inexact): ReadItem {
  const prefix = `items[${index}]`
  try {
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
      throw invalid(prefix, `${prefix} must be an object.`)
    checkTexts(sent, ['items', index])
    const { action: name = 'upsert' } = sent as { action?: unknown }
    if (typeof name !== 'string' || !Object.hasOwn(checks, name)) {
      throw invalid(`${prefix}.action`, `${prefix}.action must be one of: ${actions.join(', ')}.`)
    }
    const canonical = canonicalPayload(sent)
    checks[name as BatchAction](canonical, prefix)
    const {
      external_id: id,
      action: _action,
      ...fields
    } = canonical as { external_id: string; action?: string }
    return { item: toItem(name as BatchAction, id, fields, inexact, prefix) }
  } catch (error) {
    if (error instanceof ApiError) return { error }
    throw error
  }
}

function toItem(name: BatchAction, id: string, fields: object, inexact: Inexact, prefix: string): BatchItem {
  if (name === 'disable')
    return {
      action: name,
      externalId: id,
      closing: readClosing(fields as SentClosing, inexact, `${prefix}.`),
    }
  if (name === 'enable' || name === 'delete') return { action: name, externalId: id }
  const payload = fields as Payload
  checkPayload(payload, inexact, prefix)
  return { action: name, externalId: id, payload }
}

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

/** An item by its action. `action` may be left out where the item is an upsert. */
function item(name: BatchAction, properties: Record<string, TSchema>, description: string): TSchema {
  const action = Type.Unsafe<BatchAction>({ type: 'string', enum: [name] })
  return Type.Object(
    { external_id: externalId, action: name === 'upsert' ? Type.Optional(action) : action, ...properties },
    { title: `Batch${name[0]?.toUpperCase()}${name.slice(1)}`, additionalProperties: false, description },
  )
}

const { external_id: _payloadId, ...payloadFields } = payloadProperties
const { external_id: _patchId, ...patchFields } = patchProperties

const items: Record<BatchAction, TSchema> = {
  upsert: item('upsert', payloadFields, 'Does what PUT does; the default.'),
  create: item('create', payloadFields, 'Does what POST does.'),
  update: item('update', patchFields, 'Does what PATCH does.'),
  disable: item('disable', closingProperties, 'Suspends the listing.'),
  enable: item('enable', {}, 'Publishes the listing, or publishes it again.'),
  delete: item('delete', {}, 'Removes the listing.'),
}

const checks = Object.fromEntries(
  Object.entries(items).map(([name, schema]) => [name, bodyCheck(schema)]),
) as Record<BatchAction, ReturnType<typeof bodyCheck>>

/** The schema of an item in the OpenAPI document. Without `discriminator`, which cannot say that `action` may be left out. */
export const shownItem = Type.Unsafe<unknown>({
  title: 'BatchItem',
  description: 'One of these, by `action`; an upsert if it is left out.',
  oneOf: Object.values(items),
})

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

/** Reads the items of a batch (api.md 16.2). Each is validated by its own action, so an invalid item fails alone. */
import Type, { type TSchema } from 'typebox'
import type { Deps } from '../deps.ts'
import { ApiError, Problems } from '../errors.ts'
import { checkTexts } from '../http/strict-json.ts'
import { type BodyCheck, bodyCheck } from '../http/validation.ts'
import { checkClosing, closingProperties, readClosing, type SentClosing } from '../properties/closing.ts'
import { type BatchAction, actions, type BatchItem } from '../properties/batch.ts'
import { foreseeCreation } from '../properties/create.ts'
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
) as Record<BatchAction, BodyCheck>

/** What can be judged of an item whose action is unknown. */
const checkExternalId = bodyCheck(Type.Object({ external_id: externalId }))

/** The schema of an item in the OpenAPI document. Without `discriminator`, which cannot say that `action` may be left out. */
export const shownItem = Type.Unsafe<unknown>({
  title: 'BatchItem',
  description: 'One of these, by `action`; an upsert if it is left out.',
  oneOf: Object.values(items),
})

/** A valid item, or the error of an invalid one. */
export type ReadItem = { item: BatchItem } | { error: ApiError }

/** Reads one item as it was sent. Returns its error, which names all that is wrong, instead of throwing it. */
export function readItem(deps: Deps, sent: unknown, index: number, inexact: Inexact): ReadItem {
  const problems = new Problems()
  const item = readInto(sent, index, inexact, problems)
  if (item !== null && problems.isEmpty) return { item }
  if (typeof sent === 'object' && sent !== null && 'action' in sent && sent.action === 'create')
    foreseeCreation(deps, sent, problems, `items[${index}].`)
  try {
    problems.throwIfAny()
  } catch (error) {
    if (error instanceof ApiError) return { error }
  }
  throw new Error('an item was refused for nothing')
}

function readInto(sent: unknown, index: number, inexact: Inexact, problems: Problems): BatchItem | null {
  const prefix = `items[${index}]`
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    problems.add(prefix, `${prefix} must be an object.`)
    return null
  }
  checkTexts(sent, problems, ['items', index])
  const { action: name = 'upsert' } = sent as { action?: unknown }
  if (!isAction(name)) {
    problems.add(`${prefix}.action`, `${prefix}.action must be one of: ${actions.join(', ')}.`)
    checkExternalId(sent, problems, prefix)
    return null
  }
  const canonical = canonicalPayload(sent) as Record<string, unknown>
  checks[name](canonical, problems, prefix)
  const { external_id: externalId, action: _action, ...fields } = canonical
  if (name === 'disable') checkClosing(fields, inexact, problems, `${prefix}.`)
  else if (name !== 'enable' && name !== 'delete') checkPayload(fields, inexact, problems, prefix)
  return problems.isEmpty ? toItem(name, externalId as string, fields) : null
}

function isAction(name: unknown): name is BatchAction {
  return typeof name === 'string' && Object.hasOwn(checks, name)
}

function toItem(name: BatchAction, externalId: string, fields: object): BatchItem {
  if (name === 'disable') return { action: name, externalId, closing: readClosing(fields as SentClosing) }
  if (name === 'enable' || name === 'delete') return { action: name, externalId }
  return { action: name, externalId, payload: fields as Payload }
}

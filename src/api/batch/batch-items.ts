/** Reads the items of a batch (api.md 16.2). Each is validated by its own action, so an invalid item fails alone. */
import Type, { type TSchema } from 'typebox'
import type { Deps } from '../../deps.ts'
import { type ApiError, Problems } from '../../platform/errors/errors.ts'
import { checkTexts } from '../../http/input/strict-json.ts'
import { type BodyCheck, bodyCheck } from '../../http/input/validation.ts'
import {
  checkClosing,
  closingProperties,
  readClosing,
  type SentClosing,
} from '../../listings/writing/states/closing.ts'
import { type BatchAction, actions, type BatchItem } from '../../listings/writing/batch.ts'
import { checkCreationFields } from '../../listings/writing/create/check-creation.ts'
import { canonicalPayload, checkPayload, type Inexact } from '../../listings/fields/payload.ts'
import { checkRefusedUpserts } from '../../listings/writing/upsert.ts'
import {
  externalId,
  patchHints,
  type Payload,
  payloadProperties,
  patchProperties,
} from '../../listings/fields/schema.ts'

const externalIdSchema = Type.String({
  minLength: 1,
  ...externalId,
  description: 'The external id of the listing.',
})

/** An item by its action. `action` may be left out where the item is an upsert. */
function item(
  name: BatchAction,
  properties: Record<string, TSchema>,
  description: string,
  unknownHints: Record<string, string> = {},
): TSchema {
  const action = Type.Unsafe<BatchAction>({ type: 'string', enum: [name] })
  return Type.Object(
    {
      external_id: externalIdSchema,
      action: name === 'upsert' ? Type.Optional(action) : action,
      ...properties,
    },
    {
      title: `Batch${name[0]?.toUpperCase()}${name.slice(1)}`,
      additionalProperties: false,
      description,
      unknownHints,
    },
  )
}

const { external_id: _payloadId, ...payloadFields } = payloadProperties
const { external_id: _patchId, ...patchFields } = patchProperties

const items: Record<BatchAction, TSchema> = {
  upsert: item('upsert', payloadFields, 'Does what PUT does; the default.'),
  create: item('create', payloadFields, 'Does what POST does.'),
  update: item('update', patchFields, 'Does what PATCH does.', patchHints),
  disable: item('disable', closingProperties, 'Disables the listing.'),
  enable: item('enable', {}, 'Publishes the listing, or publishes it again.'),
  delete: item('delete', {}, 'Removes the listing.'),
}

const checks = Object.fromEntries(
  Object.entries(items).map(([name, schema]) => [name, bodyCheck(schema)]),
) as Record<BatchAction, BodyCheck>

/** The only check for an item whose action is unknown. */
const checkExternalId = bodyCheck(Type.Object({ external_id: externalIdSchema }))

/** The schema of an item in the OpenAPI document. Without `discriminator`, which cannot say that `action` may be left out. */
export const shownItem = Type.Unsafe<unknown>({
  title: 'BatchItem',
  description: 'One of these, by `action`; an upsert if it is left out.',
  oneOf: Object.values(items),
})

/** A valid item, or the error of an invalid one. */
export type ReadItem = { item: BatchItem } | { error: ApiError }

/** Reads the items as they were sent. Each gets its own error, which names all that is wrong with it. */
export async function readItems(
  deps: Deps,
  agencyId: string,
  sent: readonly unknown[],
  inexact: Inexact,
): Promise<ReadItem[]> {
  const read = sent.map((one, index) => {
    const problems = new Problems()
    return { problems, item: readInto(one, index, inexact, problems) }
  })
  const refused = read.flatMap(({ problems }, index) => {
    const one = (sent[index] ?? {}) as { external_id?: unknown; action?: unknown }
    const { external_id: id, action: name = 'upsert' } = one
    return problems.isEmpty ? [] : [{ name, externalId: id, sent: one, problems, prefix: `items[${index}].` }]
  })
  for (const { name, problems, prefix, ...item } of refused)
    if (name === 'create') checkCreationFields(deps, item.sent, problems, prefix)
  const upserts = refused.filter(({ name }) => name === 'upsert')
  await checkRefusedUpserts(deps, agencyId, upserts)
  return read.map(({ problems, item }) => (item === null ? { error: problems.toError() } : { item }))
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

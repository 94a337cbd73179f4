/** `GET /changes` (api.md 14.5, 15.17). */
import Type from 'typebox'
import { readFrom } from '../../platform/db/replica.ts'
import type { ApiResponse } from '../../http/responses/response.ts'
import { readEndpoint } from '../../http/endpoint.ts'
import { apiPrefix } from '../../http/routes.ts'
import { changesPerPage } from '../../limits/sizes.ts'
import { type Change, findChanges } from '../../listings/reading/changes.ts'
import { fieldsParameter, nullable } from '../../listings/fields/schema.ts'
import { selectedPropertySchema } from '../../listings/reading/shown/shown-schema.ts'
import { momentText, quoted, rowWriter, valueOf } from '../../listings/reading/shown/shown-text.ts'
import { cursorOwnerOf, lostCursorGap, lostCursor, readCursor, writeCursor } from './change-cursor.ts'
import { exampleProperty } from '../examples/examples.ts'
import { pageLinkSchema, readFields, withData } from '../reads/read-response.ts'

const query = Type.Object({
  cursor: Type.Optional(
    Type.String({
      shownWith: { pattern: '^[A-Za-z0-9_-]{32}$' },
      description: 'The `next_cursor` of the previous page. Leave it out to start from the beginning.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: changesPerPage,
      description: `Changes per page; ${changesPerPage} by default.`,
      examples: [changesPerPage],
    }),
  ),
  fields: fieldsParameter,
})

const common = {
  id: Type.String({ description: 'Public code of the listing.', examples: ['7KQ2M9XA'] }),
  external_id: nullable<string>({
    type: 'string',
    description: "The id of the listing in the agency's own system; of a removed one, the last it had.",
  }),
}
const changedAt = Type.String({ format: 'date-time', description: 'When it changed.' })
const only = <T>(name: T, description: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [name], description })

const upserted = Type.Object(
  {
    ...common,
    type: only('upserted', 'The listing is new or has changed.'),
    reason: Type.Null(),
    changed_at: changedAt,
    property: selectedPropertySchema,
  },
  { title: 'UpsertedChange', description: 'Store the listing in your copy, replacing what was there.' },
)
const removed = Type.Object(
  {
    ...common,
    type: only('removed', 'The listing is gone, as far as this key can see.'),
    reason: Type.Unsafe<string>({
      type: 'string',
      enum: ['deleted', 'unpublished'],
      description:
        '`unpublished` only for keys without `properties:write`: the listing is no longer published.',
    }),
    changed_at: changedAt,
    property: Type.Null(),
  },
  { title: 'RemovedChange', description: 'Delete the listing from your copy, if it is there.' },
)

const changesUrl = 'https://listings.example/api/v1/changes'
const exampleCursor = writeCursor(
  { agencyId: '019ab0c4-6d2e-7c31-9a55-0d1f7be3a901', seesDrafts: false },
  413,
)

export const listChanges = readEndpoint({
  method: 'GET',
  path: '/changes',
  operationId: 'listChanges',
  summary: 'List changes',
  description:
    'Every listing in the order of its last change, including removed ones, starting after a cursor. Use it to make a copy and keep it current: see [Keeping a copy](#keeping-a-copy).',
  tag: 'Listings',
  scope: 'properties:read',
  query,
  responses: {
    200: {
      description: 'The next changes, the earliest first.',
      schema: Type.Object({
        data: Type.Array(
          Type.Union([upserted, removed], {
            title: 'Change',
            description: 'What happened to a listing, by `type`.',
          }),
        ),
        next_cursor: Type.String({
          description:
            'Store it together with what you read. Always given, also on an empty page; it never expires.',
        }),
        has_more: Type.Boolean({
          description: 'Whether there are more changes now.',
        }),
        links: Type.Object({ self: Type.String({ format: 'uri' }), next: pageLinkSchema, prev: Type.Null() }),
      }),
      example: {
        data: [
          {
            id: exampleProperty.id,
            external_id: exampleProperty.external_id,
            type: 'upserted',
            reason: null,
            changed_at: exampleProperty.updated_at,
            property: exampleProperty,
          },
          {
            id: 'B4XW7TQ9',
            external_id: 'CRM-0977',
            type: 'removed',
            reason: 'deleted',
            changed_at: '2026-11-20T10:20:00.000Z',
            property: null,
          },
        ],
        next_cursor: exampleCursor,
        has_more: false,
        links: { self: `${changesUrl}?limit=100`, next: null, prev: null },
      },
    },
  },
  errors: [],
  check({ query: sent, caller }, problems) {
    const fields = readFields(sent, problems)
    const { cursor } = sent as { cursor?: string }
    if (cursor === undefined || caller === null) return { fields, after: 0 }
    const after = problems.attempt(() => readCursor(cursor, cursorOwnerOf(caller), caller.revision))
    return after === undefined ? undefined : { fields, after }
  },
  async run(input): Promise<ApiResponse> {
    const { deps, caller } = input
    const { cursor, limit = changesPerPage, fields: fieldsText } = input.query
    const agency = { id: caller.agency.id, revision: caller.revision }
    const owner = cursorOwnerOf(caller)
    const { fields, after } = input.checked

    const response = (changes: readonly Change[], readUpTo: number, hasMore: boolean): ApiResponse => {
      const next = writeCursor(owner, readUpTo)
      const link = (at: string | undefined) =>
        `${deps.config.publicBaseUrl}${apiPrefix}/changes?${parameters(fieldsText, at, limit)}`
      const write = rowWriter(caller.agency, deps.config.publicBaseUrl, fields)
      const data = changes.map(({ type, reason, row, values }) => {
        const property = type === 'upserted' ? write(row, values) : 'null'
        return `{"id":"${valueOf(values, 'public_id')}","external_id":${quoted(valueOf(values, 'external_id'))},"type":"${type}","reason":${quoted(reason ?? '')},"changed_at":${momentText(valueOf(values, 'updated_at'))},"property":${property}}`
      })
      const links = { self: link(cursor), next: hasMore ? link(next) : null, prev: null }
      const text = withData(data, { next_cursor: next, has_more: hasMore, links })
      return { status: 200, body: undefined, text }
    }

    // Admission has read the current revision. Nothing has changed since the cursor, so there is nothing to read.
    if (after === agency.revision) return response([], after, false)
    const db = readFrom(deps, agency)
    const found = await findChanges(db, agency.id, after, limit, owner.seesDrafts, fields)
    if (cursor !== undefined && found.next - after > lostCursorGap) throw lostCursor()
    return response(found.changes, found.readUpTo, found.hasMore)
  },
})

function parameters(fields: string | undefined, cursor: string | undefined, limit: number): URLSearchParams {
  const sent = new URLSearchParams()
  if (fields !== undefined) sent.set('fields', fields)
  if (cursor !== undefined) sent.set('cursor', cursor)
  sent.set('limit', String(limit))
  return sent
}

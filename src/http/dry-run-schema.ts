/** The query of operations that can be tried, and what the answer of a dry run has besides the real one (api.md 19). */
import Type, { type TObject, type TSchema } from 'typebox'

/** `?dry_run=true|false` */
export const dryRunQuery = Type.Object({
  dry_run: Type.Optional(
    Type.Unsafe<'true' | 'false'>({
      type: 'string',
      enum: ['true', 'false'],
      shownAs: Type.Boolean({
        description:
          'With `true` nothing is stored, downloaded, looked up or notified. The answer is that of the real request, with `dry_run`, `cost` and `room`. Needs no Idempotency-Key and counts as one write.',
        examples: [true],
      }),
    }),
  ),
})

const count = (description: string) => Type.Integer({ minimum: 0, description })

const cost = Type.Object(
  {
    writes: count('Writes; of a batch, its items.'),
    new_listings: count('Listings that would be created.'),
    photos: count('Photos that would be downloaded.'),
    state_changes: count('Listings that would be published, disabled or deleted.'),
  },
  { title: 'Cost', description: 'Of a dry run: what the real request would take from the limits.' },
)

const room = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether every limit has room for this cost.' }),
    limits: Type.Array(Type.String(), { description: 'The limits without room, as `/me` names them.' }),
    retry_after: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 1,
      description: 'Seconds until all of them have reset; null if there is room.',
    }),
  },
  { title: 'Room', description: 'Of a dry run: whether the limits have room for the real request now.' },
)

const members = {
  dry_run: Type.Optional(
    Type.Literal(true, {
      description:
        'Present in the answer of a dry run. A listing it would create has null as `id` and `url`.',
    }),
  ),
  cost: Type.Optional(cost),
  room: Type.Optional(room),
}

/** The described responses, each with the members of a dry run. */
export function withDryRun<Described extends { schema?: TSchema }>(
  responses: Readonly<Record<number, Described>>,
): Record<number, Described> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, described]) => [
      status,
      { ...described, ...(described.schema === undefined ? {} : { schema: extended(described.schema) }) },
    ]),
  )
}

function extended(schema: TSchema): TSchema {
  const { properties } = schema as TObject
  return { ...schema, properties: { ...properties, ...members } }
}

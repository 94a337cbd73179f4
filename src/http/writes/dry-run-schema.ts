/** The query of operations with a dry run, and the members that its response adds to the real one (api.md 19). */
import Type, { type TObject, type TProperties, type TSchema } from 'typebox'

/** `?dry_run=true|false` */
export const dryRunQuery = Type.Object({
  dry_run: Type.Optional(
    Type.Unsafe<'true' | 'false'>({
      type: 'string',
      enum: ['true', 'false'],
      shownAs: Type.Boolean({
        description:
          'With `true` nothing is stored, downloaded, looked up or notified. The response is that of the real request, with `dry_run`, `cost` and `room`. Needs no Idempotency-Key and counts as one write.',
        examples: [true],
      }),
    }),
  ),
})

const count = (description: string) => Type.Integer({ minimum: 0, description })

const cost = Type.Object(
  {
    writes: count('Writes; for a batch, the number of its items.'),
    new_listings: count('Listings that would be created.'),
    photos: count('Photos that would be downloaded.'),
    state_changes: count(
      'Listings that would be enabled, disabled or deleted. Publishing at creation does not count.',
    ),
  },
  { title: 'Cost', description: 'What the real request would take from the limits.' },
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
  {
    title: 'Room',
    description:
      'Whether the limits have room for the real request now. Costs of several dry runs are not added up.',
  },
)

/** The real response or that of a dry run. `dry_run` discriminates between them, also for generated types. */
function withDryRunMembers(real: TSchema, dry: TSchema): TSchema {
  const noDryRun = Type.Optional(
    Type.Literal(false, { description: 'Never sent: only dry runs have it, as `true`.' }),
  )
  const dryRun = Type.Literal(true, { description: 'Nothing was stored.' })
  return Type.Union([
    extended(real, { dry_run: noDryRun }, 'What the request did.'),
    extended(dry, { dry_run: dryRun, cost, room }, 'With `dry_run=true`: what it would do.'),
  ])
}

function extended(schema: TSchema, members: TProperties, description: string): TSchema {
  return Type.Object({ ...(schema as TObject).properties, ...members }, { description })
}

/** The described responses, each with the response of a dry run beside it. */
export function withDryRun<Described extends { schema?: TSchema; dryRunSchema?: TSchema }>(
  responses: Readonly<Record<number, Described>>,
): Record<number, Described> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, described]) => {
      const { schema, dryRunSchema = schema } = described
      if (schema === undefined || dryRunSchema === undefined) return [status, described]
      return [status, { ...described, schema: withDryRunMembers(schema, dryRunSchema) }]
    }),
  )
}

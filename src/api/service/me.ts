/** `GET /me` (api.md 15.5). */
import Type, { type TSchema } from 'typebox'
import { agencyUrl } from '../../agencies/agencies.ts'
import { readEndpoint } from '../../http/endpoint.ts'
import { sizeLimits } from '../../limits/sizes.ts'
import {
  defaultLimits,
  type LimitName,
  type Limits,
  listingLimits,
  reportedLimits,
} from '../../limits/table.ts'
import { getUsage } from '../../limits/usage.ts'
import { nullable } from '../../listings/fields/schema.ts'

const dateTime = { type: 'string', format: 'date-time' }

/** The limits that `/me` shows: those of the key, its agency, and each listing. */
const visibleLimits: readonly LimitName[] = [...reportedLimits, ...listingLimits]

const sizes = Object.keys(sizeLimits) as (keyof typeof sizeLimits)[]

const limit = Type.Object(
  {
    max: Type.Integer(),
    window_seconds: nullable<number>({ type: 'integer', description: 'Null for a size.' }),
    until: nullable<string>({
      ...dateTime,
      description: 'When the default is back, if the operator changed the limit for a while.',
    }),
  },
  { title: 'Limit' },
)

const used = Type.Object(
  {
    used: Type.Integer(),
    remaining: Type.Integer(),
    resets_at: Type.Unsafe<string>(dateTime),
  },
  { title: 'Usage' },
)

const key = Type.Object({
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String(),
  test: Type.Boolean({ description: 'Whether it is a test key.' }),
  scopes: Type.Array(Type.String()),
  created_at: Type.Unsafe<string>(dateTime),
  expires_at: nullable<string>(dateTime),
  signature_required: Type.Boolean(),
  allowed_origins: Type.Array(Type.String()),
})
const keyMembers = Object.keys(key.properties) as (keyof typeof key.properties)[]

function byName<Name extends string, T extends TSchema>(names: readonly Name[], schema: T): Record<Name, T> {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, T>
}

const exampleLimits: Limits = {
  ...defaultLimits,
  new_listings_per_day: { max: 5000, windowSeconds: 86_400, until: '2026-11-27T00:00:00.000Z' },
}
const exampleEnds: Record<number, string> = {
  60: '2026-11-20T09:31:00.000Z',
  3600: '2026-11-20T10:00:00.000Z',
  86_400: '2026-11-21T00:00:00.000Z',
}
const exampleUsage = Object.fromEntries(
  reportedLimits.map((name) => {
    const { max, windowSeconds } = exampleLimits[name]
    const count = name.startsWith('reads') ? 1 : 0
    return [name, { used: count, remaining: max - count, resets_at: exampleEnds[windowSeconds] }]
  }),
)

export const me = readEndpoint({
  method: 'GET',
  path: '/me',
  operationId: 'getMe',
  summary: 'Key, agency, limits, usage',
  description: 'Counts as a read.',
  tag: 'Service',
  scope: 'any',
  responses: {
    200: {
      description: 'The key, its agency, the limits in force and their usage.',
      schema: Type.Object({
        data: Type.Object({
          agency: Type.Object({
            id: Type.String(),
            name: Type.String(),
            slug: Type.String(),
            url: Type.String({ format: 'uri' }),
            status: Type.Unsafe<string>({ type: 'string', enum: ['active', 'inactive'] }),
            test: Type.Boolean({ description: 'Whether it is the test environment of an agency.' }),
          }),
          key,
          limits: Type.Object(byName([...visibleLimits, ...sizes], limit), {
            description: 'The limits in force, and the sizes of requests.',
          }),
          usage: Type.Object(byName(reportedLimits, used), {
            description: 'The usage of the limits counted for the key and its agency.',
          }),
        }),
      }),
      example: {
        data: {
          agency: {
            id: '019ab0c4-6d2e-7c31-9a55-0d1f7be3a901',
            name: 'Río Propiedades',
            slug: 'rio-propiedades',
            url: 'https://listings.example/inmobiliarias/rio-propiedades',
            status: 'active',
            test: false,
          },
          key: {
            id: '019ab0c4-7f10-7d42-8a01-5c9e1b2d3f40',
            name: 'Website',
            prefix: 'svc_live_k3Jd',
            test: false,
            scopes: ['properties:read'],
            created_at: '2026-11-20T09:30:00.000Z',
            expires_at: null,
            signature_required: false,
            allowed_origins: [],
          },
          limits: limitsOf(exampleLimits),
          usage: exampleUsage,
        },
      },
    },
  },
  errors: [],
  async run({ deps, caller }) {
    const { id, name, slug, test } = caller.agency
    const { limits, usage } = await getUsage(deps, id, caller.key.id)
    const agency = { id, name, slug, url: agencyUrl(deps.config.publicBaseUrl, slug), status: 'active', test }
    const whole = { ...caller.key, test }
    const shownKey = Object.fromEntries(keyMembers.map((name) => [name, whole[name]]))
    return { status: 200, body: { data: { agency, key: shownKey, limits: limitsOf(limits), usage } } }
  },
})

function limitsOf(limits: Limits): Record<string, object> {
  const windows = visibleLimits.map((name) => {
    const { max, windowSeconds, until = null } = limits[name]
    return [name, { max, window_seconds: windowSeconds, until }]
  })
  const ofSizes = sizes.map((name) => [name, { max: sizeLimits[name], window_seconds: null, until: null }])
  return Object.fromEntries([...windows, ...ofSizes])
}

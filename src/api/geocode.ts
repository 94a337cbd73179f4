/** `POST /geocode` (api.md 15.16). */
import Type from 'typebox'
import { readEndpoint } from '../http/endpoint.ts'
import { textLimits } from '../limits/sizes.ts'
import { nullable, partSchemas } from '../listings/fields/schema.ts'
import { testAddress } from '../listings/writing/test-address.ts'
import { locationStatuses } from '../listings/fields/vocabulary.ts'

const text = (description: string) => nullable<string>({ type: 'string', description })

export const geocode = readEndpoint({
  method: 'POST',
  path: '/geocode',
  operationId: 'geocode',
  summary: 'Test an address',
  description:
    'Parses the address, looks it up on the map and says whether a listing of the agency already has it. Saves nothing, and ignores Idempotency-Key.',
  tag: 'Geocoding',
  scope: 'properties:write',
  body: Type.Object(
    {
      address: Type.String({
        maxLength: textLimits.address,
        pattern: String.raw`\S`,
        description: 'Street and number.',
      }),
      city: partSchemas.location.city,
      province: partSchemas.location.province,
    },
    { additionalProperties: false },
  ),
  bodyExample: { address: 'av. corrientes 4820 3º B', city: 'Buenos Aires' },
  responses: {
    200: {
      description: 'The parsed address, its location, and whether it is already listed.',
      schema: Type.Object({
        data: Type.Object({
          address: Type.String({ description: 'The normalized address.' }),
          street: text('Null if it could not be parsed.'),
          number: text('Null if there is no number; such an address is never a duplicate.'),
          city: text('City.'),
          province: text('Province.'),
          lat: nullable<number>({ type: 'number' }),
          lng: nullable<number>({ type: 'number' }),
          location_status: Type.Unsafe<string>({ type: 'string', enum: [...locationStatuses] }),
          duplicate: Type.Boolean({
            description: 'Whether a listing of the agency has the same street and number.',
          }),
          existing_id: text('The id of that listing.'),
        }),
      }),
      example: {
        data: {
          address: 'Avenida Corrientes 4820 3º B, Ciudad Autónoma de Buenos Aires',
          street: 'Avenida Corrientes',
          number: '4820',
          city: 'Ciudad Autónoma de Buenos Aires',
          province: 'Ciudad Autónoma de Buenos Aires',
          lat: -34.5998,
          lng: -58.4382,
          location_status: 'resolved',
          duplicate: true,
          existing_id: '7KQ2M9XA',
        },
      },
    },
  },
  errors: [],
  async run({ deps, caller, body }) {
    const sent = { address: body.address, city: body.city ?? null, province: body.province ?? null }
    const { read, pin, existingId } = await testAddress(deps, caller.agency.id, sent)
    return {
      status: 200,
      body: {
        data: {
          address: read?.text ?? sent.address,
          street: read?.street ?? null,
          number: read?.number ?? null,
          city: read?.city ?? sent.city,
          province: read?.province ?? sent.province,
          lat: pin?.lat ?? null,
          lng: pin?.lng ?? null,
          location_status: pin?.status ?? 'unresolved',
          duplicate: existingId !== null,
          existing_id: existingId,
        },
      },
    }
  },
})

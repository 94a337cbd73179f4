/** The path parameters that name a listing. */
import Type from 'typebox'
import { externalId } from '../listings/fields/schema.ts'

export const idParams = Type.Object({
  id: Type.String({
    minLength: 4,
    maxLength: 36,
    description: 'Public code or uuid of the listing.',
    examples: ['7KQ2M9XA'],
  }),
})

export const externalIdParams = Type.Object({
  external_id: Type.String({
    ...externalId,
    description: 'The id of the listing in your own system.',
    examples: ['CRM-1042'],
  }),
})

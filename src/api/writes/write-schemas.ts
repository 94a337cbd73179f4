/** Schemas that the responses of several writes share. */
import Type, { type TSchema } from 'typebox'
import { nullable } from '../../listings/fields/schema.ts'

export const warningsSchema = Type.Array(
  Type.Object(
    { code: Type.String(), message: Type.String(), parameter: Type.Optional(Type.String()) },
    { title: 'Warning', required: ['code', 'message'] },
  ),
  { description: 'What was ignored or needs attention; empty when nothing does.' },
)

/** The schema of a removed listing in the response of a write. @param id nullable in a dry run, where the listing may not exist yet */
export const deletedSchema = (id: TSchema, description?: string) =>
  Type.Object(
    {
      id,
      external_id: nullable<string>({ type: 'string' }),
      deleted: Type.Literal(true),
      deleted_at: Type.String({ format: 'date-time' }),
    },
    description === undefined ? {} : { description },
  )

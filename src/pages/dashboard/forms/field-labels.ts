/** The labels of a listing's fields in the form, the history and errors. */
import type { Line } from '../../../listings/fields/field.ts'
import { leafAt } from '../../../listings/fields/field-lists.ts'
import { fields } from '../../../listings/fields/fields.ts'
import type { PageRequest } from '../serving/page.ts'

type Reader = Pick<PageRequest, 't' | 'language'>

/** The label of a field, or of the part of a field that the path names. */
export function fieldLabel({ t, language }: Reader, path: string): string {
  if (path === 'rental.period') return t.usage.period
  const line: Line | undefined = leafAt(path)?.field ?? (fields as Readonly<Record<string, Line>>)[path]
  const recorded: Readonly<Record<string, string>> = t.listings.recorded
  return line?.label?.[language] ?? recorded[path] ?? path.replace(/^.*\./, '')
}

/** The label of a field or unit in the form. */
export function formLabel(reader: Reader, path: string): string {
  if (path === 'place') return reader.t.listingForm.coordinates
  return leafAt(path)?.field.formLabel?.[reader.language] ?? fieldLabel(reader, path)
}

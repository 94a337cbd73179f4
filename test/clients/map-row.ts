/** How the sync command maps a file with a single row. */
import { type MapFile, type Mapping, mapSource } from '../../clients/typescript/src/sync/mapping.ts'

export function mapRow(values: Record<string, unknown>, map?: MapFile): Mapping {
  const row = { place: 'x:2', values }
  const columns = Object.keys(values)
  const table = { name: 'x', columns, rows: [row] }
  const style = { delimiter: ',', hasBom: false }
  return mapSource({ files: [], columns, rows: [row], tables: [table], style, skipped: [] }, map).of(
    table,
    row,
  )
}

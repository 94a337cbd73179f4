/**
 * Converts listings.csv, the export of an agency's own system, into request bodies for the API. This is the
 * part of the nightly sync to adapt. PHOTOS_URL is where the files named in `fotos` can be downloaded; by
 * default the service's samples.
 */
import { readFileSync } from 'node:fs'
import { baseUrl } from './api.ts'

type Row = Record<string, string>
export type Payload = ReturnType<typeof payloadOf>

const photosUrl = process.env['PHOTOS_URL'] ?? `${baseUrl}/samples/`
const operations: Row = { venta: 'sale', alquiler: 'rent', temporario: 'temporary' }

/**
 * The request body for a row. `null` clears a field that an earlier row had set. Only numbers are checked
 * here; the API validates the rest.
 * @throws RangeError for a cell that is not a number
 */
export function payloadOf(row: Row) {
  const text = (name: string) => row[name] || null
  const number = (name: string) => {
    const value = text(name)
    if (value !== null && !Number.isFinite(Number(value)))
      throw new RangeError(`${name}: ${value} is not a number`)
    return value === null ? null : Number(value)
  }
  const operation = operations[row['operacion'] ?? ''] ?? text('operacion')
  const amount = number('precio')
  return {
    title: text('titulo'),
    description: text('descripcion'),
    operation,
    type: text('tipo'),
    price: {
      ...(amount === null ? { on_request: true } : { amount, currency: text('moneda') }),
      ...(operation === 'temporary' ? { period: 'night' } : {}),
    },
    address: text('direccion'),
    location: {
      city: text('ciudad'),
      province: text('provincia'),
      // Without coordinates the service looks the address up.
      ...(text('latitud') === null ? {} : { lat: number('latitud'), lng: number('longitud') }),
    },
    features: {
      rooms: number('ambientes'),
      bedrooms: number('dormitorios'),
      bathrooms: number('banos'),
      covered_m2: number('m2_cubiertos'),
      total_m2: number('m2_totales'),
    },
    photos: (text('fotos')?.split(/\s+/) ?? []).map((name) => photosUrl + name),
    status: row['publicar'] === 'si' ? 'published' : 'draft',
    // Another flat of a building has the same street and number.
    force_duplicate: row['otra_unidad'] === 'si',
  }
}

/**
 * The rows of a CSV in UTF-8, as spreadsheets write it: cells in quotes may hold separators, line breaks
 * and doubled quotes. The first row has the names.
 */
export function readRows(path: string): Row[] {
  // Drops a byte order mark, and refuses other encodings instead of sending garbage.
  const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)).trimEnd()
  const cell = /(?:"([^"]*(?:""[^"]*)*)"|([^";\r\n]*))(;|\r?\n|$)/y
  const rows: string[][] = [[]]
  do {
    const [, quoted, plain = '', end] = cell.exec(text) ?? []
    if (end === undefined) throw new Error(`Row ${rows.length} has a misplaced quote.`)
    rows.at(-1)?.push((quoted?.replaceAll('""', '"') ?? plain).trim())
    if (end.endsWith('\n')) rows.push([])
  } while (cell.lastIndex < text.length)
  const [names = [], ...others] = rows
  return others.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? ''])))
}

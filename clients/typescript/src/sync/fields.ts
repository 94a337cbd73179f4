/**
 * The fields that a file can have: how each is parsed, and its column names in English and Spanish.
 */
import { listingFields } from './listing-fields.ts'

export type Kind =
  | 'external_id'
  | 'text'
  | 'operation'
  | 'type'
  | 'money'
  | 'currency'
  | 'period'
  | 'number'
  | 'integer'
  | 'coordinate'
  | 'boolean'
  | 'disposition'
  | 'orientation'
  | 'list'
  | 'urls'
  | 'status'

type Field = {
  kind: Kind
  names: readonly string[]
  /** Further cell texts of this field besides those of its kind, folded → value. */
  cells?: Readonly<Record<string, number>>
}

/** Columns with the street alone; the number may have a column of its own. */
export const streets: readonly string[] = ['calle', 'street', 'nombre_de_calle']

/** Path in a listing → field. Names are folded (see `fold`), the likeliest first; a field's own path is one too. */
export const fields: Readonly<Record<string, Field>> = {
  ...Object.fromEntries(
    Object.entries(listingFields).map(([path, { kind, aliases, cells }]) => [
      path,
      { kind: kind as Kind, names: aliases.split(' '), ...(cells && { cells }) },
    ]),
  ),
  /** Not a field of listings: the number is appended to the address. */
  street_number: {
    kind: 'text',
    names: ['altura', 'numero', 'nro', 'nº', 'numeracion', 'numero_de_calle'],
  },
  photos: {
    kind: 'urls',
    names: [
      'fotos',
      'imagenes',
      'images',
      'pictures',
      'photo_urls',
      'urls_fotos',
      'galeria',
      'foto',
      'imagen',
      'photo',
      'image',
      'picture',
    ],
  },
  status: {
    kind: 'status',
    names: ['estado', 'publicado', 'published', 'publicacion', 'publicar', 'publish'],
  },
}

/** The column of the photo that comes first. */
export const mainPhoto =
  /^(?:(?:foto|imagen|url_foto|foto_url)_(?:principal|portada|de_portada)|portada|(?:main|cover)_(?:photo|image|picture))$/

/** A column for each photo: `foto_1`, `Imagen 2`, `photo3`. */
export const photoColumn = /^(?:foto|imagen|photo|image|picture|url_foto|foto_url)_?(\d{1,2})$/

/** Lower case, without accents, words joined by `_`: how names of columns and words in cells are compared. */
export function fold(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('²', '2')
    .replaceAll(/[^\p{L}\p{N}$]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '')
}

/** The name of a column without its units: `Superficie total (m²)`, `Expensas [$]`. */
export function foldColumn(column: string): string {
  return fold(column.replaceAll(/\([^)]*\)|\[[^\]]*\]/g, ' ')) || fold(column)
}

/** Other words for a value of the API, by kind: folded word → value. */
const synonyms: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  operation: {
    venta: 'sale',
    en_venta: 'sale',
    vender: 'sale',
    alquiler: 'rent',
    en_alquiler: 'rent',
    alquilar: 'rent',
    renta: 'rent',
    alquiler_permanente: 'rent',
    temporario: 'temporary',
    temporal: 'temporary',
    alquiler_temporario: 'temporary',
    alquiler_temporal: 'temporary',
    vacacional: 'temporary',
  },
  type: {
    house: 'Casa',
    chalet: 'Casa',
    duplex: 'Casa',
    depto: 'Departamento',
    dpto: 'Departamento',
    dto: 'Departamento',
    apartamento: 'Departamento',
    apartment: 'Departamento',
    flat: 'Departamento',
    monoambiente: 'Departamento',
    terreno: 'Lote',
    lot: 'Lote',
    land: 'Lote',
    local_comercial: 'Local',
    shop: 'Local',
    office: 'Oficina',
    garage: 'Cochera',
    garaje: 'Cochera',
    parking: 'Cochera',
    deposito: 'Galpón',
    warehouse: 'Galpón',
    campo: 'Finca',
    farm: 'Finca',
    casa_quinta: 'Quinta',
    development: 'Emprendimiento',
    building: 'Edificio',
  },
  currency: {
    u$s: 'USD',
    u$d: 'USD',
    us$: 'USD',
    u_s: 'USD',
    dolar: 'USD',
    dolares: 'USD',
    $: 'ARS',
    ar$: 'ARS',
    peso: 'ARS',
    pesos: 'ARS',
  },
  period: {
    mes: 'month',
    mensual: 'month',
    por_mes: 'month',
    semana: 'week',
    semanal: 'week',
    por_semana: 'week',
    noche: 'night',
    por_noche: 'night',
    dia: 'night',
    diario: 'night',
  },
  disposition: {
    al_frente: 'Frente',
    contra_frente: 'Contrafrente',
  },
  orientation: {
    norte: 'N',
    sur: 'S',
    este: 'E',
    oeste: 'O',
    w: 'O',
    noreste: 'NE',
    nordeste: 'NE',
    noroeste: 'NO',
    nw: 'NO',
    sudeste: 'SE',
    sureste: 'SE',
    sudoeste: 'SO',
    suroeste: 'SO',
    sw: 'SO',
  },
  /** A colon separates a suspension from its reason. */
  status: {
    published: 'published',
    publicado: 'published',
    publicada: 'published',
    activo: 'published',
    activa: 'published',
    active: 'published',
    disponible: 'published',
    available: 'published',
    si: 'published',
    yes: 'published',
    true: 'published',
    '1': 'published',
    draft: 'draft',
    borrador: 'draft',
    disabled: 'disabled',
    suspendido: 'disabled',
    suspendida: 'disabled',
    pausado: 'disabled',
    pausada: 'disabled',
    inactivo: 'disabled',
    inactiva: 'disabled',
    inactive: 'disabled',
    no: 'disabled',
    false: 'disabled',
    '0': 'disabled',
    vendido: 'disabled:sold',
    vendida: 'disabled:sold',
    sold: 'disabled:sold',
    alquilado: 'disabled:rented',
    alquilada: 'disabled:rented',
    rented: 'disabled:rented',
  },
}

/** The words that a cell may have, by kind: folded word → value of the API. */
export const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...synonyms,
  ...Object.fromEntries(
    Object.values(listingFields).flatMap(({ kind, values }) => {
      if (values === undefined) return []
      const own = Object.fromEntries(values.map((value) => [fold(value), value]))
      return [[kind, { ...own, ...synonyms[kind] }]]
    }),
  ),
}

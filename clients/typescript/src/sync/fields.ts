/**
 * The fields that a file can have: how each is parsed, and its column names in English and Spanish.
 */

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

export type Field = {
  kind: Kind
  names: readonly string[]
  /** Further cell texts of this field besides those of its kind, folded → value. */
  cells?: Readonly<Record<string, number>>
}

/** Columns with the street alone; the number may have a column of its own. */
export const streets: readonly string[] = ['calle', 'street', 'nombre_de_calle']

/**
 * Path in a listing → field. `street_number` is not in a listing: it is put behind the address. Names are folded (see `fold`), the
 * likeliest first; a field's own path is one too.
 */
export const fields: Readonly<Record<string, Field>> = {
  external_id: {
    kind: 'external_id',
    names: [
      'externalid',
      'codigo',
      'cod',
      'id_externo',
      'referencia',
      'ref',
      'reference',
      'code',
      'clave',
      'sku',
      'id_propiedad',
      'codigo_propiedad',
      'id',
    ],
  },
  title: { kind: 'text', names: ['titulo', 'name', 'nombre', 'headline'] },
  description: { kind: 'text', names: ['descripcion', 'texto', 'detalle', 'observaciones', 'details'] },
  operation: {
    kind: 'operation',
    names: ['operacion', 'tipo_operacion', 'tipo_de_operacion', 'operation_type'],
  },
  type: {
    kind: 'type',
    names: [
      'tipo',
      'tipo_propiedad',
      'tipo_de_propiedad',
      'inmueble',
      'tipo_inmueble',
      'tipo_de_inmueble',
      'property_type',
    ],
  },
  'price.amount': {
    kind: 'money',
    names: [
      'precio',
      'price',
      'importe',
      'monto',
      'amount',
      'precio_usd',
      'precio_u$s',
      'precio_en_dolares',
      'precio_ars',
      'precio_en_pesos',
      'valor',
    ],
  },
  'price.currency': {
    kind: 'currency',
    names: ['moneda', 'currency', 'precio_moneda', 'moneda_precio', 'divisa'],
  },
  'price.period': { kind: 'period', names: ['periodo', 'period', 'periodo_precio'] },
  'price.on_request': {
    kind: 'boolean',
    names: ['consultar', 'precio_a_consultar', 'a_consultar', 'on_request', 'ocultar_precio'],
  },
  'expenses.amount': { kind: 'money', names: ['expensas', 'expenses', 'gastos', 'gastos_comunes'] },
  'expenses.currency': { kind: 'currency', names: ['moneda_expensas', 'expensas_moneda'] },
  address: {
    kind: 'text',
    names: ['direccion', 'domicilio', 'calle_y_numero', 'ubicacion', 'street_address', ...streets],
  },
  street_number: {
    kind: 'text',
    names: ['altura', 'numero', 'nro', 'nº', 'numeracion', 'numero_de_calle'],
  },
  'location.city': { kind: 'text', names: ['ciudad', 'city', 'localidad', 'town'] },
  'location.province': { kind: 'text', names: ['provincia', 'province', 'state'] },
  'location.lat': { kind: 'coordinate', names: ['latitud', 'lat', 'latitude'] },
  'location.lng': { kind: 'coordinate', names: ['longitud', 'lng', 'lon', 'long', 'longitude'] },
  'features.bedrooms': {
    kind: 'integer',
    names: ['dormitorios', 'dormitorio', 'dorm', 'dorms', 'bedrooms', 'habitaciones', 'cuartos'],
    cells: { monoambiente: 0, mono: 0 },
  },
  'features.bathrooms': { kind: 'integer', names: ['banos', 'bano', 'bathrooms'] },
  'features.rooms': {
    kind: 'integer',
    names: ['ambientes', 'amb', 'ambs', 'rooms', 'cantidad_de_ambientes'],
    cells: { monoambiente: 1, mono: 1 },
  },
  'features.total_m2': {
    kind: 'number',
    names: [
      'm2_totales',
      'superficie_total',
      'superficie',
      'sup_total',
      'total_m2',
      'm2',
      'terreno_m2',
      'm2_total',
      'sup',
    ],
  },
  'features.covered_m2': {
    kind: 'number',
    names: [
      'm2_cubiertos',
      'superficie_cubierta',
      'sup_cubierta',
      'covered_m2',
      'cubiertos',
      'm2_cub',
      'sup_cub',
    ],
  },
  'features.garages': {
    kind: 'integer',
    names: ['cocheras', 'cochera', 'garages', 'garage', 'garajes', 'coch'],
    cells: { si: 1, no: 0, yes: 1 },
  },
  'features.age_years': {
    kind: 'integer',
    names: ['antiguedad', 'age', 'age_years', 'anos'],
    cells: { a_estrenar: 0, estrenar: 0, nuevo: 0, nueva: 0, new: 0, en_construccion: 0, en_pozo: 0 },
  },
  'features.disposition': { kind: 'disposition', names: ['disposicion', 'disposition'] },
  'features.orientation': { kind: 'orientation', names: ['orientacion', 'orientation'] },
  'features.pet_friendly': {
    kind: 'boolean',
    names: ['mascotas', 'acepta_mascotas', 'apto_mascotas', 'pets', 'pet_friendly'],
  },
  'features.furnished': { kind: 'boolean', names: ['amoblado', 'amueblado', 'furnished'] },
  'features.credit_eligible': { kind: 'boolean', names: ['apto_credito', 'credito', 'credit_eligible'] },
  amenities: { kind: 'list', names: ['comodidades', 'servicios', 'caracteristicas', 'extras'] },
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
  video_url: { kind: 'text', names: ['video'] },
  video_urls: { kind: 'urls', names: ['videos'] },
  virtual_tour_url: {
    kind: 'text',
    names: ['tour', 'tour_virtual', 'recorrido_virtual', 'virtual_tour', 'recorrido'],
  },
  'rental.min_stay': { kind: 'integer', names: ['estadia_minima', 'min_stay', 'noches_minimas'] },
  'rental.min_lease_months': {
    kind: 'integer',
    names: ['meses_minimos', 'contrato_minimo', 'min_lease_months', 'plazo_minimo'],
  },
  'rental.services_included': {
    kind: 'list',
    names: ['servicios_incluidos', 'services_included', 'incluye'],
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

/** Folded cell text → the API's value. */
export const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  operation: {
    sale: 'sale',
    venta: 'sale',
    en_venta: 'sale',
    vender: 'sale',
    rent: 'rent',
    alquiler: 'rent',
    en_alquiler: 'rent',
    alquilar: 'rent',
    renta: 'rent',
    alquiler_permanente: 'rent',
    temporary: 'temporary',
    temporario: 'temporary',
    temporal: 'temporary',
    alquiler_temporario: 'temporary',
    alquiler_temporal: 'temporary',
    vacacional: 'temporary',
  },
  type: {
    casa: 'Casa',
    house: 'Casa',
    chalet: 'Casa',
    duplex: 'Casa',
    departamento: 'Departamento',
    depto: 'Departamento',
    dpto: 'Departamento',
    dto: 'Departamento',
    apartamento: 'Departamento',
    apartment: 'Departamento',
    flat: 'Departamento',
    monoambiente: 'Departamento',
    ph: 'PH',
    lote: 'Lote',
    terreno: 'Lote',
    lot: 'Lote',
    land: 'Lote',
    local: 'Local',
    local_comercial: 'Local',
    shop: 'Local',
    oficina: 'Oficina',
    office: 'Oficina',
    cochera: 'Cochera',
    garage: 'Cochera',
    garaje: 'Cochera',
    parking: 'Cochera',
    galpon: 'Galpón',
    deposito: 'Galpón',
    warehouse: 'Galpón',
    finca: 'Finca',
    campo: 'Finca',
    farm: 'Finca',
    quinta: 'Quinta',
    casa_quinta: 'Quinta',
    emprendimiento: 'Emprendimiento',
    development: 'Emprendimiento',
    fondo_de_comercio: 'Fondo de Comercio',
    consultorio: 'Consultorio',
    edificio: 'Edificio',
    building: 'Edificio',
    hotel: 'Hotel',
  },
  currency: {
    usd: 'USD',
    u$s: 'USD',
    u$d: 'USD',
    us$: 'USD',
    u_s: 'USD',
    dolar: 'USD',
    dolares: 'USD',
    ars: 'ARS',
    $: 'ARS',
    ar$: 'ARS',
    peso: 'ARS',
    pesos: 'ARS',
  },
  period: {
    month: 'month',
    mes: 'month',
    mensual: 'month',
    por_mes: 'month',
    week: 'week',
    semana: 'week',
    semanal: 'week',
    por_semana: 'week',
    night: 'night',
    noche: 'night',
    por_noche: 'night',
    dia: 'night',
    diario: 'night',
  },
  disposition: {
    frente: 'Frente',
    al_frente: 'Frente',
    contrafrente: 'Contrafrente',
    contra_frente: 'Contrafrente',
    interno: 'Interno',
    lateral: 'Lateral',
  },
  orientation: {
    n: 'N',
    norte: 'N',
    s: 'S',
    sur: 'S',
    e: 'E',
    este: 'E',
    o: 'O',
    oeste: 'O',
    w: 'O',
    ne: 'NE',
    noreste: 'NE',
    nordeste: 'NE',
    no: 'NO',
    noroeste: 'NO',
    nw: 'NO',
    se: 'SE',
    sudeste: 'SE',
    sureste: 'SE',
    so: 'SO',
    sudoeste: 'SO',
    suroeste: 'SO',
    sw: 'SO',
  },
  /** With the reason of a suspension behind a colon. */
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

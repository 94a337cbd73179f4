/**
 * georef, the Argentine state's address service (api.md 12.1): `GET /direcciones` for one address, `POST /direcciones`
 * for many. It interpolates the number within its block, and finds nothing where the street has no such number. Data under CC BY 4.0.
 */
import Type, { type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { ServiceFailure } from '../../../platform/outside/outside-service.ts'
import { foldTight } from '../../addresses/fold.ts'
import { buenosAires } from '../../addresses/cities/jurisdictions.ts'
import type { Provider } from './client.ts'
import { type Candidate, cityKey, provinceKey, type Lookup } from '../lookup.ts'

/** Enough to notice streets of the same name; the service allows 5,000 results a request. */
const maxResults = 10

// Fields not needed here may be missing, and numbers may be strings: other servers of this API are less strict.
const opt = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))
const decimal = Type.Union([Type.Number(), Type.String({ pattern: String.raw`^\s*-?\d{1,6}(\.\d+)?\s*$` })])
const named = opt(Type.Union([Type.Object({ nombre: opt(Type.String()) }), Type.String()]))

const responseBody = Type.Object({
  direcciones: Type.Array(
    Type.Object({
      altura: opt(Type.Union([Type.Object({ valor: opt(decimal) }), decimal])),
      calle: named,
      nomenclatura: opt(Type.String()),
      provincia: named,
      departamento: named,
      localidad_censal: named,
      localidad: named,
      // Null where its data have no coordinates.
      ubicacion: Type.Union([Type.Object({ lat: opt(decimal), lon: opt(decimal) }), Type.Null()]),
    }),
  ),
})
type ResponseBody = Static<typeof responseBody>
type Named = Static<typeof named>
type Direction = ResponseBody['direcciones'][number]

const isResponse = Compile(responseBody)
const isBulkResponse = Compile(Type.Object({ resultados: Type.Array(Type.Unknown()) }))

/**
 * The districts around Buenos Aires and La Plata with their towns. For the census, and so for georef, each district is one city, while
 * people name the town: a lookup of Olivos gives `Vicente López`.
 */
const districts: Readonly<Record<string, string>> = {
  'Almirante Brown': `Adrogué, Burzaco, Claypole, Don Orione, Glew, José Mármol, Longchamps, Malvinas Argentinas,
    Ministro Rivadavia, Rafael Calzada, San Francisco Solano, San José`,
  Avellaneda: 'Crucecita, Dock Sud, Gerli, Piñeiro, Piñeyro, Sarandí, Villa Domínico, Wilde',
  Berazategui: `Carlos Tomás Sourigues, Sourigues, El Pato, Guillermo Hudson, Hudson, Juan María Gutiérrez, Gutiérrez,
    Pereyra, Plátanos, Ranelagh, Villa España`,
  'Esteban Echeverría': '9 de Abril, Canning, El Jagüel, Luis Guillón, Monte Grande',
  Ezeiza: 'Aeropuerto Ezeiza, Canning, Carlos Spegazzini, José María Ezeiza, La Unión, Tristán Suárez',
  'Florencio Varela': `Bosques, Gobernador Costa, Ingeniero Allan, Villa Brown, Villa San Luis, Villa Santa Rosa,
    Villa Vatteone, Zeballos`,
  'General San Martín': `San Martín, Billinghurst, Ciudad Jardín El Libertador, José León Suárez, Loma Hermosa, San Andrés,
    Villa Ballester, Villa Lynch, Villa Maipú`,
  Hurlingham: 'Villa Santos Tesei, Villa Tesei, William C. Morris, William Morris',
  Ituzaingó: 'Villa Gobernador Udaondo, Villa Udaondo',
  'José C. Paz': 'Sol y Verde',
  'La Matanza': `20 de Junio, Aldo Bonzi, Ciudad Evita, González Catán, Gregorio de Laferrere, Laferrere, Isidro Casanova,
    La Tablada, Lomas del Mirador, Rafael Castillo, Ramos Mejía, San Justo, Tapiales, Villa Celina, Villa Luzuriaga,
    Villa Madero, Virrey del Pino`,
  'La Plata': `Abasto, Altos de San Lorenzo, City Bell, Gonnet, Manuel B. Gonnet, Gorina, Joaquín Gorina, José Hernández,
    Lisandro Olmos, Los Hornos, Melchor Romero, Ringuelet, Tolosa, Villa Elisa, Villa Elvira`,
  Lanús: 'Lanús Este, Lanús Oeste, Gerli, Monte Chingolo, Remedios de Escalada, Valentín Alsina',
  'Lomas de Zamora': `Banfield, Ingeniero Budge, Llavallol, San José, Temperley, Turdera, Villa Centenario,
    Villa Fiorito`,
  'Malvinas Argentinas': `Adolfo Sourdeaux, Ingeniero Adolfo Sourdeaux, Grand Bourg, Los Polvorines, Pablo Nogués,
    Ingeniero Pablo Nogués, Tierras Altas, Tortuguitas, Villa de Mayo`,
  Merlo: 'Libertad, Mariano Acosta, Parque San Martín, Pontevedra, San Antonio de Padua',
  Moreno: 'Cuartel V, Francisco Álvarez, La Reja, Paso del Rey, Trujui',
  Morón: 'Castelar, El Palomar, Haedo, Villa Sarmiento',
  Quilmes: 'Bernal, Bernal Oeste, Don Bosco, Ezpeleta, Quilmes Oeste, San Francisco Solano, Villa La Florida',
  'San Fernando': 'Victoria, Virreyes',
  'San Isidro': 'Acassuso, Beccar, Boulogne, Boulogne Sur Mer, Martínez, Villa Adelina',
  'San Miguel': 'Bella Vista, Campo de Mayo, Muñiz',
  Tigre: `Benavídez, Dique Luján, Don Torcuato, El Talar, General Pacheco, Nordelta, Ricardo Rojas,
    Rincón de Milberg, Troncos del Talar`,
  'Tres de Febrero': `Caseros, Churruca, Ciudad Jardín Lomas del Palomar, Ciudadela, El Libertador, José Ingenieros,
    Loma Hermosa, Martín Coronado, Pablo Podestá, Sáenz Peña, Santos Lugares, Villa Bosch, Villa Raffo`,
  'Vicente López': `Carapachay, Florida, Florida Oeste, La Lucila, Munro, Olivos, Villa Adelina, Villa Martelli`,
}

const townsOfDistrict: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(districts).map(([district, towns]) => [
    foldTight(district),
    towns.split(',').map((town) => foldTight(town)),
  ]),
)

export const georef: Provider = {
  name: 'georef',
  defaultUrl: 'https://apis.datos.gob.ar/georef/api',
  perRequest: 100,
  atOnce: 4,
  intervalMs: 0,

  request(lookups) {
    const [first] = lookups
    if (lookups.length === 1 && first !== undefined) {
      return { path: 'direcciones', query: { ...parametersOf(first), max: String(maxResults) } }
    }
    const direcciones = lookups.map((lookup) => ({ ...parametersOf(lookup), max: maxResults }))
    return { path: 'direcciones', body: { direcciones } }
  },

  read(response, lookups) {
    if (lookups.length === 1) {
      if (!isResponse.Check(response)) throw nonsense('The answer has no direcciones.')
      return [candidatesOf(response)]
    }
    if (!isBulkResponse.Check(response) || response.resultados.length !== lookups.length) {
      throw nonsense('The answer does not have one entry in resultados for each lookup.')
    }
    return response.resultados.map((result) => (isResponse.Check(result) ? candidatesOf(result) : null))
  },
}

function parametersOf({ street, door, city, cityKey, province }: Lookup): Record<string, string> {
  // After `Calle 50` a bare number would be read as part of the name.
  const number = door === null ? '' : /\d$/.test(street) ? ` N° ${door}` : ` ${door}`
  return {
    direccion: `${street}${number}`,
    ...(province === null ? {} : { provincia: province }),
    // To georef the Ciudad Autónoma is a province, and its neighbourhoods are not cities.
    ...(city === null || cityKey === 'caba' ? {} : { localidad: city }),
  }
}

function candidatesOf({ direcciones }: ResponseBody): Candidate[] {
  return direcciones.flatMap((direction) => {
    const lat = toNumber(direction.ubicacion?.lat)
    const lng = toNumber(direction.ubicacion?.lon)
    if (lat === null || lng === null) return []
    const { street, city, province } = namesOf(direction)
    const { altura } = direction
    const number = toNumber(typeof altura === 'object' ? altura?.valor : altura)
    const numbers = number === null ? [] : [String(number)]
    return [{ street, numbers, cityKeys: cityKeysOf(city, province), province, lat, lng }]
  })
}

function cityKeysOf(city: string | null, province: string | null): string[] {
  const key = cityKey(city, province)
  if (key === null) return []
  const towns = provinceKey(province) === buenosAires.code ? townsOfDistrict.get(key) : undefined
  return [key, ...(towns ?? [])]
}

/** Reads missing fields from `nomenclatura`, the whole address: `AV SANTA FE 260 (ENTRE …), Capital, Córdoba`. */
function namesOf({ calle, localidad_censal, localidad, departamento, provincia, nomenclatura }: Direction) {
  const whole = nomenclatura?.split(',').map((part) => part.trim()) ?? []
  const [department, province] = whole.length < 2 ? [] : [whole.at(-2), whole.at(-1)]
  return {
    street: nameOf(calle) ?? whole[0] ?? '',
    city:
      nameOf(localidad_censal) ??
      nameOf(localidad) ??
      nameOf(departamento) ??
      (whole.length < 3 ? null : (department ?? null)),
    province: nameOf(provincia) ?? province ?? null,
  }
}

function nameOf(value: Named | undefined): string | null {
  return (typeof value === 'string' ? value : value?.nombre) ?? null
}

function toNumber(value: string | number | null | undefined): number | null {
  return value == null ? null : Number(value)
}

function nonsense(message: string): ServiceFailure {
  return new ServiceFailure('nonsense', message, { status: 200 })
}

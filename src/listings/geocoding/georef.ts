/**
 * georef, the Argentine state's address service (api.md 12.1): `GET /direcciones` for one address, `POST /direcciones`
 * for many. It interpolates the number within its block, and finds nothing where the street has no such number. Data under CC BY 4.0.
 */
import Type, { type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { ServiceFailure } from '../../limits/outside-service.ts'
import { buenosAires } from '../addresses/jurisdictions.ts'
import type { Provider } from './client.ts'
import { townsOf } from './greater-buenos-aires.ts'
import { type Candidate, cityKey, provinceKey, type Question } from './question.ts'

/** Enough to notice streets of the same name; the service allows 5,000 results a request. */
const maxResults = 10

// Fields not needed here may be missing, and numbers may be strings: other servers of this API are less strict.
const opt = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))
const decimal = Type.Union([Type.Number(), Type.String({ pattern: String.raw`^\s*-?\d{1,6}(\.\d+)?\s*$` })])
const named = opt(Type.Union([Type.Object({ nombre: opt(Type.String()) }), Type.String()]))

const answerOne = Type.Object({
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
type Answer = Static<typeof answerOne>
type Named = Static<typeof named>
type Direction = Answer['direcciones'][number]

const isAnswer = Compile(answerOne)
const isBulkAnswer = Compile(Type.Object({ resultados: Type.Array(Type.Unknown()) }))

export const georef: Provider = {
  name: 'georef',
  defaultUrl: 'https://apis.datos.gob.ar/georef/api',
  perRequest: 100,
  atOnce: 4,
  intervalMs: 0,

  request(questions) {
    const [first] = questions
    if (questions.length === 1 && first !== undefined) {
      return { path: 'direcciones', query: { ...parametersOf(first), max: String(maxResults) } }
    }
    const direcciones = questions.map((question) => ({ ...parametersOf(question), max: maxResults }))
    return { path: 'direcciones', body: { direcciones } }
  },

  read(answer, questions) {
    if (questions.length === 1) {
      if (!isAnswer.Check(answer)) throw nonsense('The answer has no direcciones.')
      return [candidatesOf(answer)]
    }
    if (!isBulkAnswer.Check(answer) || answer.resultados.length !== questions.length) {
      throw nonsense('The answer does not have one of the resultados for each question.')
    }
    return answer.resultados.map((result) => (isAnswer.Check(result) ? candidatesOf(result) : null))
  },
}

function parametersOf({ street, door, city, cityKey: asked, province }: Question): Record<string, string> {
  // After `Calle 50` a bare number would be read as part of the name.
  const number = door === null ? '' : /\d$/.test(street) ? ` N° ${door}` : ` ${door}`
  return {
    direccion: `${street}${number}`,
    ...(province === null ? {} : { provincia: province }),
    // To georef the Ciudad Autónoma is a province, and its neighbourhoods are not cities.
    ...(city === null || asked === 'caba' ? {} : { localidad: city }),
  }
}

function candidatesOf({ direcciones }: Answer): Candidate[] {
  return direcciones.flatMap((direction) => {
    const lat = toNumber(direction.ubicacion?.lat)
    const lng = toNumber(direction.ubicacion?.lon)
    if (lat === null || lng === null) return []
    const { street, city, province } = namesOf(direction)
    const number = numberOf(direction)
    const key = cityKey(city, province)
    return [
      {
        street,
        numbers: number === null ? [] : [String(number)],
        cityKeys:
          key === null ? [] : [key, ...(provinceKey(province) === buenosAires.code ? townsOf(key) : [])],
        province,
        lat,
        lng,
      },
    ]
  })
}

/** Missing fields are read from the whole: `AV SANTA FE 260 (ENTRE …), Capital, Córdoba`. */
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

function numberOf({ altura }: Direction): number | null {
  return toNumber(typeof altura === 'object' ? altura?.valor : altura)
}

function toNumber(value: string | number | null | undefined): number | null {
  return value == null ? null : Number(value)
}

function nonsense(message: string): ServiceFailure {
  return new ServiceFailure('nonsense', message, { status: 200 })
}

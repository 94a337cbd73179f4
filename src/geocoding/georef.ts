/**
 * georef, the Argentine state's address service (spec 'Address handling'): `GET /direcciones` for one address, `POST /direcciones`
 * for many. It interpolates the number on its block, and answers nothing where the street has no such number. Data under CC BY 4.0.
 */
import Type, { type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { buenosAires } from '../addresses/jurisdictions.ts'
import { townsOf } from './greater-buenos-aires.ts'
import type { Candidate } from './judge.ts'
import { type Provider, ProviderFailure } from './provider.ts'
import { cityKey, provinceKey, type Question } from './question.ts'

/** Enough to see that streets of one name compete; the service allows 5,000 in all of a request's answers. */
const maxResults = 10

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const named = Type.Optional(orNull(Type.Object({ nombre: orNull(Type.String()) })))

const answerOne = Type.Object({
  direcciones: Type.Array(
    Type.Object({
      altura: Type.Optional(Type.Object({ valor: orNull(Type.Number()) })),
      calle: Type.Object({ nombre: Type.String() }),
      provincia: named,
      departamento: named,
      localidad_censal: named,
      // Null where its data do not place the address.
      ubicacion: Type.Object({ lat: orNull(Type.Number()), lon: orNull(Type.Number()) }),
    }),
  ),
})
type Answer = Static<typeof answerOne>

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
      if (!isAnswer.Check(answer)) throw new ProviderFailure('nonsense', 'The answer has no direcciones.')
      return [candidatesOf(answer)]
    }
    if (!isBulkAnswer.Check(answer) || answer.resultados.length !== questions.length) {
      throw new ProviderFailure(
        'nonsense',
        'The answer does not have one of the resultados for each question.',
      )
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
    // The Ciudad Autónoma is a province to it, and its neighbourhoods are no cities.
    ...(city === null || asked === 'caba' ? {} : { localidad: city }),
  }
}

function candidatesOf({ direcciones }: Answer): Candidate[] {
  return direcciones.flatMap(({ altura, calle, provincia, departamento, localidad_censal, ubicacion }) => {
    const { lat, lon } = ubicacion
    const number = altura?.valor ?? null
    if (lat === null || lon === null) return []
    const province = provincia?.nombre ?? null
    const key = cityKey(localidad_censal?.nombre ?? departamento?.nombre, province)
    return [
      {
        street: calle.nombre,
        numbers: number === null ? [] : [String(number)],
        cityKeys:
          key === null ? [] : [key, ...(provinceKey(province) === buenosAires.code ? townsOf(key) : [])],
        province,
        lat,
        lng: lon,
      },
    ]
  })
}

/** A geocoding service on the loopback that implements georef's or Nominatim's documented protocol, or fails as scripted. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A query as the service parses it. */
export type Asked = {
  /** Street and number as sent. */
  address: string
  number: string | null
  city: string | null
  province: string | null
}

/** A place that the service knows. With number null it is only the street; with coordinates null it is known but has no position. */
export type Known = {
  street: string
  number: number | null
  city: string
  province: string
  lat: number | null
  lng: number | null
}

/** One request as received. */
export type Received = {
  method: string
  path: string
  query: Record<string, string>
  body: unknown
  headers: IncomingMessage['headers']
  lookups: Asked[]
}

type Dialect = {
  read(request: { query: Record<string, string>; body: unknown }): Asked[]
  /** The documented response to a valid request. */
  respond(request: { body: unknown }, known: Known[][]): unknown
  /** The documented response to an invalid request. */
  refusal: unknown
}

/** A failure in place of a response. */
export type Trouble =
  | { status: number; text: string; headers?: Record<string, string> }
  /** Headers, and then nothing. */
  | 'stalls'
  | 'hangs'
  | 'breaks off'

export type FakeService = {
  url: string
  received: Received[]
  /** The places it knows; empty by default. */
  world: (asked: Asked) => Known[]
  /** Called for every request; returns null for the usual response. */
  trouble: (request: Received) => Trouble | null
  /** Requests get a response once this is fulfilled. */
  gate: Promise<unknown>
  /** Resolves once that many requests have arrived. */
  came(count: number): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Listens on a free port of 127.0.0.1, below `/base`. */
export async function serve(dialect: Dialect): Promise<FakeService> {
  const service: FakeService = {
    url: '',
    received: [],
    world: () => [],
    trouble: () => null,
    gate: Promise.resolve(),
    came: (count) =>
      new Promise((resolve) => {
        const check = (): void => (service.received.length >= count ? resolve() : void arrivals.push(check))
        check()
      }),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  let arrivals: (() => void)[] = []
  const onArrival = (): void => {
    const told = arrivals
    arrivals = []
    for (const tell of told) tell()
  }
  const server = createServer((request, response) => {
    void respond(service, dialect, request, response, onArrival)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`
  return service
}

async function respond(
  service: FakeService,
  dialect: Dialect,
  request: IncomingMessage,
  response: ServerResponse,
  onArrival: () => void,
): Promise<void> {
  const url = new URL(request.url ?? '', 'http://fake')
  let text = ''
  for await (const piece of request) text += String(piece)
  const query = Object.fromEntries(url.searchParams)
  const body: unknown = text === '' ? null : JSON.parse(text)
  const lookups = dialect.read({ query, body })
  const { method = '', headers } = request
  const received = { method, path: url.pathname, query, body, headers, lookups }
  service.received.push(received)
  onArrival()
  await service.gate
  const trouble = service.trouble(received)
  if (trouble === 'hangs') return
  if (trouble === 'stalls') {
    response.writeHead(200, { 'content-type': 'application/json' }).write('[')
    return
  }
  if (trouble === 'breaks off') {
    request.socket.destroy()
    return
  }
  if (trouble !== null) {
    response.writeHead(trouble.status, { 'content-type': 'application/json', ...trouble.headers })
    response.end(trouble.text)
    return
  }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(dialect.respond({ body }, lookups.map(service.world))))
}

const nothing = { categoria: null, id: null, nombre: null }

/** As documented at datosgobar.github.io/georef-ar-api, `/direcciones`. */
export const georefDialect: Dialect = {
  read({ query, body }) {
    const sent = body === null ? [query] : (body as { direcciones: Record<string, string>[] }).direcciones
    return sent.map(({ direccion = '', provincia, localidad }) => ({
      address: direccion,
      number: /(\d+)$/.exec(direccion)?.[1] ?? null,
      city: localidad ?? null,
      province: provincia ?? null,
    }))
  },
  respond({ body }, known) {
    const results = known.map((places) => ({
      cantidad: places.length,
      direcciones: places.map(({ street, number, city, province, lat, lng }) => ({
        altura: { unidad: null, valor: number },
        calle: { categoria: 'CALLE', id: '0653901002985', nombre: street.toUpperCase() },
        calle_cruce_1: nothing,
        calle_cruce_2: nothing,
        departamento: { id: '06539', nombre: 'Un departamento' },
        localidad_censal: { id: '06539010', nombre: city },
        nomenclatura: `${street.toUpperCase()} ${number ?? ''}, Un departamento, ${province}`,
        piso: null,
        provincia: { id: '06', nombre: province },
        ubicacion: { lat, lon: lng },
      })),
      inicio: 0,
      parametros: {},
      total: places.length,
    }))
    return body === null ? results[0] : { resultados: results }
  },
  refusal: {
    errores: [
      {
        nombre_parametro: 'direccion',
        codigo_interno: 1003,
        mensaje: 'El parámetro "direccion" es obligatorio.',
        ubicacion: 'querystring',
      },
    ],
  },
}

/** As documented at nominatim.org/release-docs, `/search` with `format=jsonv2` and `addressdetails=1`. */
export const nominatimDialect: Dialect = {
  read({ query }) {
    const { street = '', city, state } = query
    const number = /^(\d+) /.exec(street)?.[1] ?? null
    return [{ address: street, number, city: city ?? null, province: state ?? null }]
  },
  respond(_request, [places = []]) {
    return places.flatMap(({ street, number, city, province, lat, lng }) => {
      if (lat === null || lng === null) return []
      return {
        place_id: 100149,
        licence: 'Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright',
        osm_type: 'way',
        osm_id: 90394480,
        lat: lat.toFixed(7),
        lon: lng.toFixed(7),
        category: number === null ? 'highway' : 'place',
        type: number === null ? 'residential' : 'house',
        place_rank: number === null ? 26 : 30,
        importance: 0.053,
        addresstype: number === null ? 'road' : 'place',
        name: number === null ? street : '',
        display_name: `${street}, ${city}, ${province}, Argentina`,
        address: {
          ...(number === null ? {} : { house_number: String(number) }),
          road: street,
          city,
          state_district: 'Partido de Alguien',
          state: province,
          postcode: 'B1638',
          country: 'Argentina',
          country_code: 'ar',
        },
        boundingbox: ['-34.6', '-34.5', '-58.5', '-58.4'],
      }
    })
  },
  refusal: { error: { code: 400, message: "Parameter 'limit' must be a number." } },
}

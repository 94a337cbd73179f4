/**
 * Nominatim, the search of OpenStreetMap (api.md 12.1), by structured queries: `GET /search`. Its usage policy: one
 * request at a time and one a second for the whole application; a User-Agent that identifies it; cached answers; OpenStreetMap
 * credited where they are shown.
 */
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { ServiceFailure } from '../../../platform/outside/outside-service.ts'
import { foldNumber } from '../../addresses/fold.ts'
import type { Provider } from './client.ts'
import { type Candidate, cityKey, type Lookup } from '../lookup.ts'

const text = Type.Optional(Type.String())
// Strings that contain numbers; other servers of this API send numbers.
const decimal = Type.Union([Type.Number(), Type.String({ pattern: String.raw`^-?\d{1,3}(\.\d+)?$` })])

const responseBody = Type.Array(
  Type.Object({
    lat: decimal,
    lon: decimal,
    address: Type.Object({
      house_number: Type.Optional(Type.Union([Type.String(), Type.Number()])),
      road: text,
      city: text,
      town: text,
      village: text,
      hamlet: text,
      municipality: text,
      state: text,
      'ISO3166-2-lvl4': text,
      country_code: text,
    }),
  }),
)
type ResponseBody = Static<typeof responseBody>

const isResponse = Compile(responseBody)

export const nominatim: Provider = {
  name: 'nominatim',
  defaultUrl: 'https://nominatim.openstreetmap.org',
  perRequest: 1,
  atOnce: 1,
  // A tenth above the policy's second, because transit times vary.
  intervalMs: 1_100,

  request([lookup]) {
    return { path: 'search', query: lookup === undefined ? {} : parametersOf(lookup) }
  },

  read(response) {
    if (!isResponse.Check(response))
      throw new ServiceFailure('nonsense', 'The answer is not a list of places with addresses.')
    return [response.flatMap((place) => candidateOf(place) ?? [])]
  },
}

function parametersOf({ street, door, city, cityKey, province }: Lookup): Record<string, string> {
  // In OpenStreetMap, the city of the Ciudad Autónoma is named `Buenos Aires`.
  const cityName = cityKey === 'caba' ? 'Buenos Aires' : city
  return {
    street: door === null ? street : `${door} ${street}`,
    ...(cityName === null ? {} : { city: cityName }),
    ...(province === null ? {} : { state: province }),
    country: 'Argentina',
    countrycodes: 'ar',
    format: 'jsonv2',
    addressdetails: '1',
    'accept-language': 'es',
    limit: '10',
  }
}

function candidateOf({ lat, lon, address }: ResponseBody[number]): Candidate | null {
  const { road, country_code, city, town, village, hamlet, municipality, state } = address
  // Without a road it is a place that happens to share the street's name.
  if (road === undefined || (country_code !== undefined && country_code !== 'ar')) return null
  const province = address['ISO3166-2-lvl4'] ?? state ?? null
  const settlements = [city, town, village, hamlet].filter((name) => name !== undefined)
  const names = settlements.length > 0 ? settlements : [municipality]
  return {
    street: road,
    numbers: doorsOf(String(address.house_number ?? '')),
    cityKeys: names.flatMap((name) => cityKey(name, province) ?? []),
    province,
    lat: Number(lat),
    lng: Number(lon),
  }
}

/** `100;102`, `100,102` and `100-102` are one house with several numbers. */
function doorsOf(houseNumber: string): string[] {
  return houseNumber
    .split(/[;,]|(?<=\d)\s*-\s*(?=\d)/)
    .map(foldNumber)
    .filter((number) => number !== '')
}

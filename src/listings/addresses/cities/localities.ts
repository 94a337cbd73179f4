/**
 * City and province of an address (api.md 12.4). The listing's own city wins over the one in the address; the
 * Ciudad Autónoma and its neighbourhoods are one city.
 */
import { bigCities, cabaNeighbourhood, cityByAlias } from './cities.ts'
import { joinLocalityCodes } from '../streets/codes.ts'
import { foldTight, wordSet } from '../fold.ts'
import {
  buenosAires,
  caba,
  findFoldedJurisdiction,
  findJurisdiction,
  type Jurisdiction,
  jurisdictions,
  provinceWords,
} from './jurisdictions.ts'
import { ofWords } from '../patterns.ts'
import { remembering } from '../../../platform/memory/bounded-map.ts'
import { type Name, localityName } from '../streets/street-name.ts'
import { foldedText, isWord, type Token, tokenize, type Tokens } from '../tokens.ts'

type Locality = Readonly<{
  city: string | null
  /** The comparison key, or null if the city is unknown. */
  cityKey: string | null
  province: string | null
}>

/** A city, a jurisdiction, both (`Rosario Santa Fe`), or neither. */
type Found = Readonly<{ city: Name | null; jurisdiction: Jurisdiction | null }>
/** `saysProvince`: the text calls the jurisdiction a province. */
type Entry = Found & Readonly<{ saysProvince?: boolean }>

const nothing: Found = { city: null, jurisdiction: null }

const cabaCity: Name = { shown: caba.name, compared: 'caba' }
const kindWords = wordSet('localidad loc municipio partido pdo departamento dpto depto distrito zona')
const cityWords = wordSet('ciudad cdad')
/** Words for a part of a town that do not name it. */
const nowhere = wordSet('centro macrocentro norte sur este oeste centrico')
const buenosAiresItself = wordSet('buenosaires bsas bsaires baires')
/** Words that turn the name of a province into another name: `Nueva Córdoba`, `Puerto Santa Cruz`, `Gran Mendoza`. */
const joiners = wordSet(
  `de del la las los el y nueva nuevo alta alto villa gran zona puerto colonia general barrio provincia
  prov pcia ciudad cdad san santa gobernador`,
)
/** The longest name of a jurisdiction in words. */
const maxJurisdictionWords = 6

const byUsualName: ReadonlyMap<string, Jurisdiction> = new Map(
  jurisdictions.map((jurisdiction) => [foldTight(jurisdiction.name), jurisdiction]),
)

/** The meanings of a listing's own city in each province. */
const givenCities: ReadonlyMap<Jurisdiction | null, (name: string) => Found> = new Map(
  [null, ...jurisdictions].map((province) => [
    province,
    remembering(500, (name: string) => choose(runsOf(name), province, true)),
  ]),
)

/** City and province from the runs of words found in an address and from what the listing itself says. */
export function resolveLocality(
  runs: readonly Tokens[],
  given: { city?: string | null | undefined; province?: string | null | undefined },
): Locality {
  const givenProvince = blankToNull(given.province)
  const province = givenProvince === null ? null : findJurisdiction(givenProvince)
  const named = blankToNull(given.city)
  const explicit = named === null ? null : (givenCities.get(province)?.(named) ?? null)
  const saysAll = province === caba || (explicit?.city && (province ?? explicit.jurisdiction))
  const inText = saysAll ? nothing : choose(runs, province, false)
  const city = province === caba ? cabaCity : (explicit?.city ?? inText.city)
  const agrees = inText.city === null || city === null || inText.city.compared === city.compared
  const jurisdiction =
    city?.compared === cabaCity.compared
      ? caba
      : (province ?? explicit?.jurisdiction ?? (agrees ? inText.jurisdiction : null))
  const asGiven = province === null && city?.compared !== cabaCity.compared ? givenProvince : null
  return {
    city: city?.shown ?? null,
    cityKey: city?.compared ?? null,
    province: asGiven ?? jurisdiction?.name ?? null,
  }
}

/** Whether words can only be a locality: a jurisdiction, a big city, a neighbourhood of the Ciudad Autónoma. */
export function isKnownLocality(words: Tokens): boolean {
  const { city, jurisdiction } = readEntry(words)
  if (city === null) return jurisdiction !== null
  return bigCities.has(city.compared) || cabaNeighbourhood(city.compared) !== null
}

/** A locality as written after an address, so that parsing gives the same locality again. */
export function showLocality(locality: Locality): string[] {
  const jurisdiction = locality.province === null ? null : findJurisdiction(locality.province)
  if (locality.city === null) {
    if (jurisdiction === null) return []
    return [isNamesake(jurisdiction) ? `Provincia de ${jurisdiction.name}` : jurisdiction.name]
  }
  // After an address, a number in the city's name would be read as a flat.
  if (/\d/u.test(locality.city) && !/^\d+º? de /u.test(locality.city))
    return jurisdiction === null ? [] : showLocality({ ...locality, city: null })
  return jurisdiction === null || byUsualName.get(foldTight(locality.city)) === jurisdiction
    ? [locality.city]
    : [locality.city, jurisdiction.name]
}

/** The city and jurisdiction meant by runs of words. `asCity`: a city is expected here. */
function choose(runs: readonly Tokens[], province: Jurisdiction | null, asCity: boolean): Found {
  const entries = runs.map(readEntry).filter((entry) => entry.city ?? entry.jurisdiction)
  if (entries.some((entry) => entry.jurisdiction === caba)) return { city: cabaCity, jurisdiction: caba }
  const last = entries.findLast((entry) => entry.jurisdiction !== null)
  const jurisdiction = last?.jurisdiction ?? null
  const effective = province ?? jurisdiction

  const cities: Name[] = []
  for (const entry of entries) {
    if (entry.city?.compared === 'capital') cities.push(...(effective ? [toCity(effective.capital)] : []))
    else if (entry.city) cities.push(entry.city)
    // With two jurisdictions, the first is a city's name: `Córdoba, Córdoba`.
    else if (entry.jurisdiction && entry !== last && !entry.saysProvince)
      cities.push(cityNamedLike(entry.jurisdiction))
  }
  if (cities.length === 0 && last?.jurisdiction && !last.saysProvince) {
    const city = soleCity(last.jurisdiction, runs, asCity)
    return { city, jurisdiction: city === cabaCity ? caba : jurisdiction }
  }
  const mayBeCaba = effective === null || effective === buenosAires
  const others = mayBeCaba ? cities.filter((city) => cabaNeighbourhood(city.compared) !== 'surely') : cities
  if (cities.length > 0 && others.length === 0) return { city: cabaCity, jurisdiction: caba }
  const city = others.findLast((other) => bigCities.has(other.compared)) ?? others[0] ?? null
  return { city, jurisdiction: jurisdiction ?? capitalOf(city) }
}

/**
 * The city meant by a jurisdiction's name alone. `Córdoba` is its capital. `Buenos Aires` is the Ciudad Autónoma where a
 * city is expected, and only a province behind an address.
 */
function soleCity(jurisdiction: Jurisdiction, runs: readonly Tokens[], asCity: boolean): Name | null {
  if (isNamesake(jurisdiction)) return toCity(jurisdiction.capital)
  if (!asCity) return null
  if (jurisdiction !== buenosAires) return endsAlike(jurisdiction) ? toCity(jurisdiction.capital) : null
  return buenosAiresItself.has(runs.map(foldedText).join('')) ? cabaCity : null
}

/** Reads one run of words. */
function readEntry(run: Tokens): Entry {
  let words = run.filter((token) => token.kind !== 'mark')
  while (words.length > 0 && isWord(words.at(-1), 'argentina')) words = words.slice(0, -1)
  if (words.length === 0) return nothing
  const whole = findFoldedJurisdiction(foldedText(words))
  if (whole) return { city: null, jurisdiction: whole, saysProvince: isWord(words[0], provinceWords) }

  for (let count = Math.min(maxJurisdictionWords, words.length - 1); count > 0; count -= 1) {
    const jurisdiction = findFoldedJurisdiction(foldedText(words.slice(-count)))
    if (jurisdiction === null) continue
    const head = words.slice(0, -count)
    if (!isWord(head.at(-1), joiners) || isProvinceOf(head)) return { city: readCity(head), jurisdiction }
  }
  const capital = isWord(words.at(-1), 'capital')
    ? findFoldedJurisdiction(foldedText(words.slice(0, -1)))
    : null
  if (capital) return { city: toCity(capital.capital), jurisdiction: capital }
  return { city: readCity(words), jurisdiction: null }
}

/** `… Provincia de` before the jurisdiction's name. */
function isProvinceOf(head: Tokens): boolean {
  const fromEnd = isWord(head.at(-1), ofWords) ? 2 : 1
  return head.length > fromEnd && isWord(head.at(-fromEnd), provinceWords)
}

function readCity(run: Tokens): Name | null {
  let words = run
  if (isWord(words.at(-1), ofWords) && isProvinceOf(words)) words = words.slice(0, -2)
  else if (isProvinceOf(words)) words = words.slice(0, -1)
  const kind = isWord(words[0], kindWords)
  const hasOf = isWord(words[1], ofWords)
  if (words.length > 2 && hasOf && (kind || isWord(words[0], cityWords))) words = words.slice(2)
  else if (words.length > 1 && kind) words = words.slice(1)
  const name = localityName(words)
  if (name === null || name.compared.length < 2 || nowhere.has(name.compared)) return null
  const jurisdiction = words.length < run.length ? findFoldedJurisdiction(foldedText(words)) : null
  if (jurisdiction) return cityNamedLike(jurisdiction)
  const usual = cityByAlias.get(name.compared)
  return usual === undefined ? name : toCity(usual)
}

/** The city that a jurisdiction's name means in `Córdoba, Córdoba` or `Ciudad de Córdoba`. */
function cityNamedLike(jurisdiction: Jurisdiction): Name {
  if (jurisdiction === buenosAires || jurisdiction === caba) return cabaCity
  return toCity(endsAlike(jurisdiction) ? jurisdiction.capital : jurisdiction.name)
}

/** The jurisdiction with the name of the city, if the city is its capital; otherwise null. */
function capitalOf(city: Name | null): Jurisdiction | null {
  const jurisdiction = city === null ? null : findJurisdiction(city.shown)
  return jurisdiction !== null && isNamesake(jurisdiction) ? jurisdiction : null
}

/** `San Miguel de Tucumán`, which people call `Tucumán`. */
function endsAlike({ name, capital }: Jurisdiction): boolean {
  return foldTight(capital).endsWith(foldTight(name))
}

function isNamesake({ name, capital }: Jurisdiction): boolean {
  return capital === name
}

function toCity(name: string): Name {
  return name === caba.name ? cabaCity : { shown: name, compared: foldTight(name) }
}

/**
 * A text that names a locality, cut into runs of words. Postal codes are left out; other numbers belong to the name: `9 de Julio`,
 * `Sección 3`, `Loteo T-1`.
 */
function runsOf(name: string): Token[][] {
  const runs: Token[][] = [[]]
  for (const token of joinLocalityCodes(tokenize(name))) {
    if (token.kind !== 'mark') runs.at(-1)?.push(token)
    else if (',-(/'.includes(token.folded)) runs.push([])
  }
  // Numbers alone are not a name.
  return runs.filter((run) => run.some(({ kind }) => kind === 'word'))
}

function blankToNull(value: string | null | undefined): string | null {
  const trimmed = value?.trim() ?? ''
  return trimmed === '' ? null : trimmed
}

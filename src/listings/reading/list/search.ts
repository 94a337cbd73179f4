/**
 * The search of a list (api.md 14.2: `city`, `neighborhood`, `q`, `type`): its words, without case and accents, and the conditions that
 * compare them. Writes store the folded text (write-statements.ts), because PostgreSQL's `unaccent` cannot be indexed.
 */
import { foldForSearch } from '../../addresses/fold.ts'

/** The words of `q`, folded. Only letters, digits, space, dot, apostrophe, slash and hyphen count. */
export function searchWords(q: string): string[] {
  return foldForSearch(q.normalize('NFC').replaceAll(/[^\p{L}\p{M}\p{N} .'/-]+/gu, ' '))
    .split(' ')
    .filter((word) => word !== '')
}

/** A LIKE pattern that finds the text anywhere. */
function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}

export type SearchedTexts = {
  city?: string
  neighborhood?: string
  q?: string
  /** For visitors: searches only the texts that visitors see. */
  publicly?: true
  /** For the agency's own people: `q` as a whole may also be part of the public code or the external id. */
  by_code?: true
}

/** Adds a parameter. @returns its placeholder: `$2` */
export type Bind = (value: unknown) => string

/** Title, address and city, one a line, as visitors see them. */
const shownText = String.raw`case when place_blurred
  then split_part(search_folded, E'\n', 1) || E'\n' || coalesce(rough_folded, '') || E'\n' || split_part(search_folded, E'\n', 3)
  else search_folded end`

/** @param bind `$1` is the agency already */
export function searchConditions(
  { city, neighborhood, q, publicly, by_code: byCode }: SearchedTexts,
  bind: Bind,
): string[] {
  const searched = publicly === true ? shownText : 'search_folded'
  const wordIs = (word: string) => `${searched} like ${bind(containing(word))}`
  const conditions: string[] = []
  if (city !== undefined) conditions.push(`city_folded like ${bind(containing(foldForSearch(city)))}`)
  if (neighborhood !== undefined) conditions.push(wordIs(foldForSearch(neighborhood)))
  const words = q === undefined ? [] : searchWords(q).map(wordIs)
  if (q !== undefined && byCode === true)
    conditions.push(`(${words.join(' and ') || 'false'} or ${codeIs(q, bind)})`)
  else conditions.push(...words)
  return conditions
}

/** Every list's index contains the code but not the external id, so the matching external ids are found first, within the agency. */
function codeIs(text: string, bind: Bind): string {
  const [code, externalId] = [
    bind(containing(foldForSearch(text).toUpperCase())),
    bind(containing(foldForSearch(text))),
  ]
  return `public_id like ${code} or id in (
    select id from properties where agency_id = $1 and deleted_at is null and lower(external_id) like ${externalId})`
}

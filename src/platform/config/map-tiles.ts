/** The operator's tile service for maps, and the attribution that it requires. */
import { ConfigError, type Reader } from './settings-reader.ts'

type MapTiles = Readonly<{
  /** With `{z}`, `{x}` and `{y}`, or `{-y}`, which counts from the south. May contain a key. */
  url: string
  /** In order; those with a URL are links. */
  attribution: readonly Readonly<{ text: string; url: string | null }>[]
  /** The closest zoom that the service has. */
  maxZoom: number
}>

/** No tile service offers a higher zoom. */
export const closestZoom = 22
const maxAttributionLength = 300

/** @returns null if no tile service is set @throws ConfigError */
export function readMapTiles({ text, url }: Reader, maxZoom: number): MapTiles | null {
  // Most services' examples have `{s}` in the host, which no URL allows; the general error would not help.
  if (text('MAP_TILES_URL')?.includes('{s}') === true)
    throw new ConfigError('MAP_TILES_URL must name one server: replace {s} with one of its values, often a.')
  const template = url('MAP_TILES_URL', ['http:', 'https:'])
  const named = text('MAP_TILES_ATTRIBUTION')
  if (template === null) {
    if (named !== null) throw new ConfigError('MAP_TILES_URL is missing: MAP_TILES_ATTRIBUTION needs it.')
    return null
  }
  // It may contain a key, so it is not repeated.
  const path = template.replace(/^https?:\/\/[^/?#]*/i, '')
  const variables = path.match(/\{[^}]*\}/g) ?? []
  const wrong = [
    path.includes('{r}') ? 'have no {r}: maps show pictures of 256 × 256 pixels' : null,
    ['{x}', '{y}', '{z}'].join() ===
    variables
      .map((variable) => variable.replace('-y', 'y'))
      .sort()
      .join()
      ? null
      : 'have {z}, {x} and {y} once each in its path or query, and nothing else in braces; {-y} counts from the south',
    /[{}@]/.test(template.slice(0, template.length - path.length))
      ? 'name one server, without credentials'
      : null,
    template.includes('#') ? 'have no fragment' : null,
  ].find((problem) => problem !== null)
  if (wrong !== undefined) throw new ConfigError(`MAP_TILES_URL must ${wrong}.`)
  if (named === null)
    throw new ConfigError(
      'MAP_TILES_ATTRIBUTION is missing: MAP_TILES_URL needs it, such as © [OpenStreetMap contributors](https://www.openstreetmap.org/copyright).',
    )
  return { url: template, attribution: readAttribution(named), maxZoom }
}

/** Plain text with links as `[text](https://…)`. */
function readAttribution(value: string): MapTiles['attribution'] {
  const parts = value.split(/(\[[^[\]]+\]\(https?:\/\/[^\s()]+\))/).filter((part) => part !== '')
  const read = parts.map((part) => {
    const [, text = part, url = null] = /^\[([^[\]]+)\]\((https?:\S+)\)$/.exec(part) ?? []
    return { text, url }
  })
  const isOdd = read.some(
    ({ text, url }) => /[<>\p{Cc}]|\]\(/u.test(text) || (url !== null && !URL.canParse(url)),
  )
  if (isOdd || value.length > maxAttributionLength) {
    throw new ConfigError(
      `MAP_TILES_ATTRIBUTION cannot be used: write at most ${maxAttributionLength} characters of plain text, with links as [text](https://…).`,
    )
  }
  return read
}

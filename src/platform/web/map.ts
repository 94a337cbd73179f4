/**
 * The box of a map in a page, and what a browser loads to fill it: Leaflet, a script and a style, only once the box comes into view. Its
 * size is reserved, so that nothing moves. Without scripts or tiles the page has what stands in the box.
 */
import { readFileSync } from 'node:fs'
import { type Assets, openAssets } from './assets.ts'
import { dataAttributes, html, type Html, nothing } from './html.ts'

/** What maps may show, in degrees: Uruguay, Paraguay and central Chile are on every map of the border. */
export const mapArea = { south: -57, north: -17, west: -78, east: -49 } as const

/** Whether a map can have its middle there. */
export function isOnMap(lat: number, lng: number): boolean {
  const { south, north, west, east } = mapArea
  return lat > south && lat < north && lng > west && lng < east
}

const own = (name: string) => readFileSync(new URL(`map/${name}`, import.meta.url))
const leaflet = (name: string) => readFileSync(new URL(import.meta.resolve(`leaflet/dist/${name}`)))

/** With this picture Leaflet ends the loading of a tile that is no longer wanted. The policy forbids it; none does as well. */
const blank = 'data:image/gif;base64,R0lGODlhAQABAAD/ACwAAAAAAQABAAACADs='

/** Served for the public pages and the dashboard. Leaflet's own pictures are not: pins are drawn by the style. */
export const mapAssets: Assets = openAssets('/map', {
  'map.js': own('map.js'),
  'leaflet.js': Buffer.from(leaflet('leaflet.js').toString().replace(blank, '')),
  'map.css': Buffer.concat([leaflet('leaflet.css'), own('map.css')]),
})

/** As the settings give it. */
type Tiles = Readonly<{
  attribution: readonly Readonly<{ text: string; url: string | null }>[]
  maxZoom: number
}>

export type MapWords = Readonly<{ zoomIn: string; zoomOut: string }>

type BoxOptions = Readonly<{
  /** `place`: shown by map.js itself. What else there is has a script of its own, which imports `data-script`. */
  kind: 'place' | 'field' | 'listings'
  /** The path that a proxy adds. */
  base: string
  tiles: Tiles
  words: MapWords
  /** What the map shows, for those who do not see it. */
  label: string
  /** `data-…` of what the script shows in it. */
  data: Readonly<Record<string, string | number | null>>
  /** Shown until the map is there, and where it never is. */
  before?: Html
}>

/** The box. A page with a `place` has `mapScript` in its head. */
export function mapBox({ kind, base, tiles, words, label, data, before = nothing }: BoxOptions): Html {
  const all: BoxOptions['data'] = {
    label,
    script: mapScript(base),
    leaflet: base + mapAssets.path('leaflet.js'),
    style: base + mapAssets.path('map.css'),
    tiles: `${base}/map/{z}/{x}/{y}`,
    closest: tiles.maxZoom,
    area: [mapArea.south, mapArea.west, mapArea.north, mapArea.east].join(),
    'zoom-in': words.zoomIn,
    'zoom-out': words.zoomOut,
    ...data,
  }
  const credit = tiles.attribution.map(({ text, url }) =>
    url === null ? html`${text}` : html`<a href="${url}" rel="noopener noreferrer">${text}</a>`,
  )
  return html`<div class="map-box" data-map="${kind}" ${dataAttributes(all)}>
    <div class="map-before">${before}</div>
    <p class="map-credit" hidden>${credit}</p>
  </div>`
}

/** Of the stylesheet of every page with a box. */
export const mapBoxStyle: Buffer = own('box.css')

/** What loads a page's maps. */
export function mapScript(base: string): string {
  return base + mapAssets.path('map.js')
}

/**
 * The box of a map in a page, and the files that fill it: Leaflet, a script and a style, loaded only when the box comes into view. Its
 * size is reserved, so that nothing moves. Without scripts or tiles the page shows the content of the box.
 */
import { readFileSync } from 'node:fs'
import { type Assets, openAssets } from '../assets.ts'
import { dataAttributes, html, type Html, nothing } from '../html.ts'

/** The bounds of maps in degrees. Uruguay, Paraguay and central Chile are on every map of the border. */
export const mapArea = { south: -57, north: -17, west: -78, east: -49 } as const

/** The lowest zoom of maps and their tiles: the whole country. */
export const farthestZoom = 4

/** Whether a map can be centred there. */
export function isOnMap(lat: number, lng: number): boolean {
  const { south, north, west, east } = mapArea
  return lat > south && lat < north && lng > west && lng < east
}

const own = (name: string) => readFileSync(new URL(name, import.meta.url))
const leaflet = (name: string) => readFileSync(new URL(import.meta.resolve(`leaflet/dist/${name}`)))

/** Leaflet stops loading a tile by showing this picture, which the policy forbids. An empty URL works too. */
const blank = 'data:image/gif;base64,R0lGODlhAQABAAD/ACwAAAAAAQABAAACADs='

/** For public pages and the dashboard. Leaflet's own pictures are left out, because the style draws the pins. */
export const mapAssets: Assets = openAssets('/map', {
  'map.js': own('map.js'),
  'leaflet.js': Buffer.from(leaflet('leaflet.js').toString().replace(blank, '')),
  'map.css': Buffer.concat([leaflet('leaflet.css'), own('map.css')]),
})

type BoxOptions = Readonly<{
  /** map.js itself shows a `place`. Other kinds have scripts of their own, which import `data-script`. */
  kind: 'place' | 'field' | 'listings'
  /** The path in PUBLIC_BASE_URL. */
  base: string
  /** From the settings. */
  tiles: Readonly<{
    attribution: readonly Readonly<{ text: string; url: string | null }>[]
    maxZoom: number
  }>
  words: Readonly<{ zoomIn: string; zoomOut: string }>
  /** Describes the map for screen readers. */
  label: string
  /** `data-…` attributes for the script. */
  data: Readonly<Record<string, string | number | null>>
  /** Shown until the map is loaded, or if it cannot be loaded. */
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
    farthest: farthestZoom,
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

/** Part of the stylesheet of every page with a box. */
export const mapBoxStyle: Buffer = own('box.css')

/** The URL of the script that loads a page's maps. */
export function mapScript(base: string): string {
  return base + mapAssets.path('map.js')
}

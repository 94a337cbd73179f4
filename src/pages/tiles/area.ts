/**
 * The tiles that maps of this service may need: Argentina with what is around it, from the whole country down to a street. Nobody can use
 * the service to look at the rest of the world.
 */
import { mapArea } from '../../platform/web/map.ts'

/** Of the web's usual scheme: `z` halves the side each time, `x` counts from the west, `y` from the north. */
export type TilePlace = Readonly<{ z: number; x: number; y: number }>

/** Farther out the country is a spot. */
const farthestZoom = 3

/** Whether a map may show it. The three are whole and not negative. */
export function isServed({ z, x, y }: TilePlace, maxZoom: number): boolean {
  if (z < farthestZoom || z > maxZoom) return false
  const first = tileAt(mapArea.north, mapArea.west, z)
  const last = tileAt(mapArea.south, mapArea.east, z)
  return x >= first.x && x <= last.x && y >= first.y && y <= last.y
}

/** The tile that shows a place. */
export function tileAt(lat: number, lng: number, z: number): TilePlace {
  const side = 2 ** z
  const radians = (lat * Math.PI) / 180
  return {
    z,
    x: Math.floor(((lng + 180) / 360) * side),
    y: Math.floor(((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) * side),
  }
}

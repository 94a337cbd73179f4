/** The tiles that the service's maps may need: Argentina and its surroundings, from country to street. Others are not proxied. */
import { farthestZoom, mapArea } from '../../platform/web/map/map.ts'

/** In the usual scheme of web maps: each `z` halves the side, `x` counts from the west, `y` from the north. */
export type TileCoordinates = Readonly<{ z: number; x: number; y: number }>

/** Whether a map may show it. The coordinates are whole and not negative. */
export function isServed({ z, x, y }: TileCoordinates, maxZoom: number): boolean {
  if (z < farthestZoom || z > maxZoom) return false
  const first = tileAt(mapArea.north, mapArea.west, z)
  const last = tileAt(mapArea.south, mapArea.east, z)
  return x >= first.x && x <= last.x && y >= first.y && y <= last.y
}

/** The tile that shows a location. */
export function tileAt(lat: number, lng: number, z: number): TileCoordinates {
  const side = 2 ** z
  const radians = (lat * Math.PI) / 180
  return {
    z,
    x: Math.floor(((lng + 180) / 360) * side),
    y: Math.floor(((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) * side),
  }
}

/**
 * The tiles that maps of this service may need: Argentina with what is around it, from the whole country down to a street. Nobody can use
 * the service to look at the rest of the world.
 */
import { mapArea } from '../web/map.ts'

/** Of the web's usual scheme: `z` halves the side each time, `x` counts from the west, `y` from the north. */
export type TilePlace = Readonly<{ z: number; x: number; y: number }>

/** Farther out the country is a spot. */
const farthestZoom = 3

/** Whether a map may show it. The three are whole and not negative. */
export function isServed({ z, x, y }: TilePlace, maxZoom: number): boolean {
  if (z < farthestZoom || z > maxZoom) return false
  const side = 2 ** z
  const { south, north, west, east } = mapArea
  const column = (lng: number) => Math.floor(((lng + 180) / 360) * side)
  const row = (lat: number) => {
    const radians = (lat * Math.PI) / 180
    return Math.floor(((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) * side)
  }
  return x >= column(west) && x <= column(east) && y >= row(north) && y <= row(south)
}

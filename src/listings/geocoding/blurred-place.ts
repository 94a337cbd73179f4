/**
 * Blurs places for public pages. A blurred place is the centre of a cell of about 300 metres, shifted slightly, and a circle that contains
 * the whole cell. All places of a cell have the same circle, so neither many listings in one building nor a moved pin reveals more. The
 * borders of the cells follow from a secret.
 */
import { createHmac, hkdfSync } from 'node:crypto'

/** Degrees and metres. The listing is somewhere in the circle. */
type BlurredPlace = Readonly<{ lat: number; lng: number; radius: number }>

export type BlurredPlaceOf = (lat: number, lng: number) => BlurredPlace

const cellMetres = 300
/** The most that a circle is shifted from the middle of its cell. The radius covers this and half a cell's diagonal. */
const movedMetres = 80
export const blurRadius = 300
/** Fixed: another value would move all circles. */
const gridMetresPerDegree = 111_320
const rowDegrees = cellMetres / gridMetresPerDegree

/** The service secret that decides the circles. */
export const placeSecretName = 'approximate places'

/** Its first value. */
export function firstPlaceSecret(secretKey: string): string {
  return Buffer.from(hkdfSync('sha256', secretKey, '', placeSecretName, 32)).toString('base64url')
}

/** @param secret a new one moves all circles, and the overlap of an old and a new circle narrows a place down */
export function blurredPlaces(secret: string): BlurredPlaceOf {
  const key = Buffer.from(secret, 'base64url')
  /** Two numbers from 0 to 1. */
  const chance = (of: string): [number, number] => {
    const digest = createHmac('sha256', key).update(of).digest()
    return [digest.readUInt32BE(0) / 2 ** 32, digest.readUInt32BE(4) / 2 ** 32]
  }
  const [firstRow] = chance('rows')

  return (lat, lng) => {
    const row = Math.floor(lat / rowDegrees + firstRow)
    const middle = (row - firstRow + 0.5) * rowDegrees
    // A degree of longitude is shorter than one of latitude. The whole row has one factor, which is not zero at the poles.
    const narrow = Math.max(0.01, Math.cos((middle * Math.PI) / 180))
    const columnDegrees = rowDegrees / narrow
    const [firstColumn] = chance(`row ${row}`)
    const column = Math.floor(lng / columnDegrees + firstColumn)
    const [turn, way] = chance(`cell ${row} ${column}`)
    const moved = (movedMetres * Math.sqrt(way)) / gridMetresPerDegree
    const angle = 2 * Math.PI * turn
    return {
      lat: rounded(middle + moved * Math.sin(angle)),
      lng: rounded((column - firstColumn + 0.5) * columnDegrees + (moved * Math.cos(angle)) / narrow),
      radius: blurRadius,
    }
  }
}

/** Rounded to about ten metres. */
function rounded(degrees: number): number {
  return Math.round(degrees * 10_000) / 10_000
}

/** Checks by a coarse outline whether coordinates lie in Argentina, to catch swapped and mistyped ones. */

/**
 * Corners of the outline, `lat,lng`: close to the border where towns face each other across it, some kilometres outside elsewhere. It
 * includes the Malvinas and the sea, but not Antarctica, where swapped coordinates or wrong signs would lie.
 */
const written = `-21.7,-66.4 -21.85,-66.1 -22.098,-65.75 -22.098,-65.5 -21.95,-65.2 -21.95,-64.0 -22.03,-63.9 -22.03,-63.6 -21.9,-62.7
  -22.3,-62.4 -23.7,-61.0 -24.9,-58.2 -25.24,-57.8 -25.275,-57.69 -25.38,-57.645 -25.65,-57.74 -26.0,-57.88 -26.18,-58.15
  -26.6,-58.18 -26.86,-58.32 -27.28,-58.58 -27.24,-58.3 -27.24,-58.1 -27.37,-57.6 -27.4,-57.0 -27.47,-56.75 -27.42,-56.3
  -27.33,-56.1 -27.35,-55.9 -27.34,-55.8 -27.1,-55.53 -26.75,-55.0 -26.4,-54.73 -26.0,-54.65 -25.591,-54.6 -25.588,-54.55
  -25.5,-54.4 -25.5,-53.9 -26.3,-53.5 -27.1,-53.75 -27.25,-54.0 -27.8,-55.0 -28.2,-55.6 -28.5,-56.0 -28.6,-56.03 -29.1,-56.53
  -29.65,-57.02 -29.72,-57.075 -29.745,-57.105 -30.1,-57.5 -30.25,-57.62 -31.0,-57.86 -31.38,-57.995 -32.1,-58.1 -32.3,-58.1
  -32.6,-58.13 -33.0,-58.36 -33.3,-58.4 -33.9,-58.43 -34.15,-58.2 -34.4,-58.0 -34.55,-57.85 -34.8,-57.4 -35.8,-55.5 -38.5,-55.5 -48.0,-57.0 -51.0,-57.2
  -53.0,-57.5 -55.1,-63.0 -55.1,-66.4 -54.905,-67.0 -54.9,-68.62 -52.6,-68.62 -52.4,-68.45 -52.2,-69.3 -52.02,-70.5
  -51.98,-71.95 -51.75,-72.33 -51.62,-72.42 -51.45,-72.4 -51.25,-72.32 -50.75,-72.42 -50.65,-73.2 -49.0,-73.7 -48.5,-72.5
  -47.5,-72.4 -47.1,-72.1 -46.8,-71.97 -46.54,-71.67 -46.3,-71.8 -45.9,-71.75 -45.4,-71.8 -44.9,-72.08 -44.4,-71.87
  -43.6,-71.76 -43.15,-71.78 -42.9,-72.15 -42.2,-72.2 -40.5,-72.1 -38.7,-71.5 -37.0,-71.3 -35.2,-70.7 -33.4,-69.9 -31.0,-70.7
  -29.0,-70.1 -27.0,-69.2 -24.5,-68.7 -23.0,-67.3`

export const corners = written.split(/\s+/u).map((corner): [lat: number, lng: number] => {
  const [lat = Number.NaN, lng = Number.NaN] = corner.split(',').map(Number)
  return [lat, lng]
})
const lats = corners.map(([lat]) => lat)
const lngs = corners.map(([, lng]) => lng)
const [south, north] = [Math.min(...lats), Math.max(...lats)]
const [west, east] = [Math.min(...lngs), Math.max(...lngs)]

/** Ray casting over the outline. `lat`, `lng` in degrees. */
export function isInsideCountry(lat: number, lng: number): boolean {
  if (lat < south || lat > north || lng < west || lng > east) return false
  let inside = false
  for (let i = 0, j = lats.length - 1; i < lats.length; j = i, i += 1) {
    const latA = lats[i] as number
    const latB = lats[j] as number
    if (latA > lat === latB > lat) continue
    const lngA = lngs[i] as number
    const lngB = lngs[j] as number
    if (lng < ((lngB - lngA) * (lat - latA)) / (latB - latA) + lngA) inside = !inside
  }
  return inside
}

/** The probably intended coordinates, if these are outside Argentina because they are swapped or lack a minus; otherwise null. */
export function likelyPin(lat: number, lng: number): { lat: number; lng: number } | null {
  if (isInsideCountry(lat, lng)) return null
  const [a, b] = [-Math.abs(lat), -Math.abs(lng)]
  const candidates = [
    { lat: a, lng: b },
    { lat: b, lng: a },
  ]
  return candidates.find((one) => isInsideCountry(one.lat, one.lng)) ?? null
}

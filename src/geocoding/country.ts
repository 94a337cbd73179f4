/**
 * Whether coordinates lie in Argentina: a plausibility check that catches swapped and mistyped ones, on a coarse outline.
 */

/** Corners of a coarse outline, [lat, lng], drawn some kilometres outside the border; islands and sea included. */
const outline: readonly (readonly [number, number])[] = [
  [-21.6, -66.4],
  [-21.9, -65.6],
  [-21.8, -62.6],
  [-23.7, -61.0],
  [-25.1, -57.4],
  [-26.9, -58.4],
  [-27.3, -58.1],
  [-27.2, -56.2],
  [-26.0, -54.8],
  [-25.4, -54.7],
  [-25.4, -53.9],
  [-26.3, -53.5],
  [-27.3, -53.7],
  [-28.2, -55.6],
  [-30.3, -57.5],
  [-31.9, -57.9],
  [-33.1, -58.2],
  [-34.2, -58.2],
  [-34.8, -57.4],
  [-35.8, -55.5],
  [-38.5, -55.5],
  [-48.0, -57.0],
  [-51.0, -57.2],
  [-53.0, -57.5],
  [-55.3, -63.0],
  [-55.4, -68.7],
  [-52.4, -68.8],
  [-51.9, -72.4],
  [-50.6, -73.2],
  [-49.0, -73.7],
  [-46.5, -72.2],
  [-44.5, -72.1],
  [-43.2, -72.2],
  [-40.5, -72.1],
  [-38.7, -71.5],
  [-37.0, -71.3],
  [-35.2, -70.7],
  [-33.4, -69.9],
  [-31.0, -70.7],
  [-29.0, -70.1],
  [-27.0, -69.2],
  [-24.5, -68.7],
  [-23.0, -67.3],
]

/** Ray casting over the outline. `lat`, `lng` in degrees. */
export function isInsideCountry(lat: number, lng: number): boolean {
  let inside = false
  for (let i = 0, j = outline.length - 1; i < outline.length; j = i, i += 1) {
    const [latA, lngA] = outline[i] as readonly [number, number]
    const [latB, lngB] = outline[j] as readonly [number, number]
    if (latA > lat !== latB > lat && lng < ((lngB - lngA) * (lat - latA)) / (latB - latA) + lngA)
      inside = !inside
  }
  return inside
}

/**
 * The long open passages that lead to the flats of a PH.
 */
import { finish } from './draw-ground.ts'
import { flipped } from './draw-parts.ts'
import { face, flat, type Point, project, side, upright } from './draw-perspective.ts'
import { potPlant } from './draw-plants.ts'
import { ellipse, glow, opacity, rect, repeat, vertical } from './draw-shapes.ts'
import { mix, shade, type Sketch, tint, tone } from './draw-sketch.ts'
import { sky } from './draw-sky.ts'
import { canopy } from './draw-trees.ts'

/** A passage open to the sky, with doors, patterned tiles and plants in pots. */
export function corridor(sketch: Sketch): string {
  const { random, light } = sketch
  const left = tone(sketch, random.pick(['#efe4d2', '#e8c9a8', '#f2ede3', '#d9e0d8', '#e7b79a']))
  const right = tone(sketch, random.pick(['#f1eadf', '#e9dccb', '#e3e6e6', '#c9785c', '#dfc9b0']))
  const wide = random.between(1.3, 1.55)
  const depth = random.between(9.5, 12)
  const high = random.between(3.3, 3.9)
  const wood = random.pick(['#4d6b62', '#7a4f33', '#36506b', '#8a3f36'])
  const wallPoints = (side: number): Point[] => [
    [side * wide, 0, 1.1],
    [side * wide, 0, depth],
    [side * wide, high, depth],
    [side * wide, high, 1.1],
  ]
  return (
    flipped(
      sky(sketch, 420) +
        canopy(sketch, 640, 205, 130, tone(sketch, random.pick(['#6b9a63', '#9a83c4', '#5f8f4e']))) +
        upright(
          [-wide, wide],
          [0, high * 0.72],
          depth,
          vertical(sketch, tint(right, 0.2), shade(right, 0.1)),
        ) +
        endDoor(sketch, depth, wood) +
        face(wallPoints(-1), vertical(sketch, tint(left, 0.12), shade(left, 0.12))) +
        face(wallPoints(1), vertical(sketch, shade(right, 0.16), shade(right, 0.34))) +
        side(wide, [high, high + 0.14], [1.1, depth], tint(right, 0.3)) +
        side(-wide, [high, high + 0.14], [1.1, depth], tint(left, 0.4)) +
        dado(wide, depth, left, right) +
        sunlit(sketch, wide, depth, high) +
        tiles(sketch, wide, depth) +
        openings(sketch, wide, depth, wood) +
        vine(sketch, wide, depth, high) +
        pots(sketch, wide, depth) +
        (light.lit > 0.3 ? lanterns(sketch, wide, depth) : ''),
      random.chance(0.5),
    ) + finish(sketch)
  )
}

function endDoor(sketch: Sketch, depth: number, wood: string): string {
  const [x, y] = project([-0.5, 2.2, depth])
  const [right, bottom] = project([0.5, 0, depth])
  return (
    rect(x - 6, y - 6, right - x + 12, bottom - y + 6, tone(sketch, '#efe9df')) +
    rect(x, y, right - x, bottom - y, tone(sketch, wood)) +
    rect(
      x + 6,
      y + 10,
      (right - x) / 2 - 9,
      (bottom - y) * 0.5,
      sketch.light.lit > 0.3 ? '#ffe2a0' : tone(sketch, '#8fa9b5'),
    ) +
    rect(
      (x + right) / 2 + 3,
      y + 10,
      (right - x) / 2 - 9,
      (bottom - y) * 0.5,
      sketch.light.lit > 0.3 ? '#ffe2a0' : tone(sketch, '#8fa9b5'),
    )
  )
}

function dado(wide: number, depth: number, left: string, right: string): string {
  const band = (sign: number, color: string) =>
    side(sign * wide, [0, 0.9], [1.1, depth], color) +
    side(sign * wide, [0.9, 0.96], [1.1, depth], tint(color, 0.4))
  return band(-1, shade(mix(left, '#a9714f', 0.45), 0.1)) + band(1, shade(mix(right, '#a9714f', 0.45), 0.3))
}

/** The sun reaches the upper part of one wall. */
function sunlit(sketch: Sketch, wide: number, depth: number, high: number): string {
  if (sketch.light.hour === 'dusk') return ''
  const low = sketch.random.between(0.9, 2)
  return face(
    [
      [-wide, low, 1.1],
      [-wide, low + 0.5, depth],
      [-wide, high, depth],
      [-wide, high, 1.1],
    ],
    sketch.light.sun,
    opacity(0.42),
  )
}

/** Calcareous tiles: squares on their points between two dark borders. */
function tiles(sketch: Sketch, wide: number, depth: number): string {
  const base = tone(sketch, '#e3d9c8')
  const ink = tone(sketch, sketch.random.pick(['#9a4f3c', '#4c6670', '#5b6b4f', '#3f4656']))
  const size = (wide * 2) / 6
  let out = flat([-wide, wide], 0, [1.1, depth], vertical(sketch, shade(base, 0.14), base))
  for (let z = 1.6; z < depth - size; z += size) {
    for (let column = 1; column < 5; column += 1) {
      const x = -wide + column * size
      const mid = (column + Math.round(z / size)) % 2 === 0
      out += face(
        [
          [x + size / 2, 0, z],
          [x + size, 0, z + size / 2],
          [x + size / 2, 0, z + size],
          [x, 0, z + size / 2],
        ],
        mid ? ink : tint(ink, 0.45),
      )
      if (z < 6)
        out += face(
          [
            [x + size / 2, 0, z + size * 0.28],
            [x + size * 0.72, 0, z + size / 2],
            [x + size / 2, 0, z + size * 0.72],
            [x + size * 0.28, 0, z + size / 2],
          ],
          mid ? base : tint(base, 0.3),
        )
    }
  }
  for (const x of [-wide, wide - size]) out += flat([x, x + size], 0, [1.1, depth], ink, opacity(0.85))
  return out
}

function openings(sketch: Sketch, wide: number, depth: number, wood: string): string {
  const { random, light } = sketch
  let out = ''
  for (const side of [-1, 1]) {
    const x = side * (wide - 0.005)
    for (let z = depth - 1.6; z > 2.1; z -= 2.3) {
      const isDoor = random.chance(0.5)
      const [bottom, top] = isDoor ? [0, 2.25] : [1, 2.2]
      const size = isDoor ? 0.95 : 1.1
      const at = (y: number, along: number): Point => [x, y, z + along]
      const lit = random.chance(light.lit)
      const pane = lit
        ? vertical(sketch, '#ffeec2', '#efb96a')
        : vertical(sketch, tone(sketch, '#a9bfca'), tone(sketch, '#4d6375'))
      out += face(
        [at(bottom, -0.1), at(bottom, size + 0.1), at(top + 0.12, size + 0.1), at(top + 0.12, -0.1)],
        tone(sketch, '#f1eadd'),
      )
      out += face(
        [at(bottom, 0), at(bottom, size), at(top, size), at(top, 0)],
        isDoor ? tone(sketch, side < 0 ? wood : shade(wood, 0.2)) : pane,
      )
      if (isDoor)
        out +=
          face([at(1.15, 0.14), at(1.15, size - 0.14), at(2.1, size - 0.14), at(2.1, 0.14)], pane) +
          face(
            [at(0.2, 0.14), at(0.2, size - 0.14), at(0.95, size - 0.14), at(0.95, 0.14)],
            tone(sketch, shade(wood, 0.35)),
          )
      else
        for (const bar of [0.24, 0.5, 0.76])
          out += face(
            [
              at(1, size * bar - 0.02),
              at(1, size * bar + 0.02),
              at(2.2, size * bar + 0.02),
              at(2.2, size * bar - 0.02),
            ],
            '#33383f',
          )
    }
  }
  return out
}

function vine(sketch: Sketch, wide: number, depth: number, high: number): string {
  const { random } = sketch
  const leaf = tone(sketch, '#5a8a50')
  const blossom = tone(sketch, random.pick(['#d6579a', '#e2a0c0', '#b06fc9', '#f0e6d8']))
  const start = random.between(3.2, 5)
  return repeat(110, (index) => {
    const along = random.next()
    const [x, y] = project([
      wide - random.between(0, 0.22),
      high - random.next() ** 2 * (1.9 - along),
      Math.min(depth - 0.4, start + along * 3.6),
    ])
    const size = random.between(7, 15) * (1.15 - along * 0.55)
    return ellipse(
      x,
      y,
      size,
      size * 0.72,
      index % 3 === 0 ? blossom : index % 3 === 1 ? leaf : shade(leaf, 0.25),
      opacity(0.92),
    )
  })
}

function pots(sketch: Sketch, wide: number, depth: number): string {
  const { random } = sketch
  const places: Point[] = []
  for (let z = depth - 2; z > 2.6; z -= random.between(1.2, 1.9))
    places.push([random.pick([-1, 1]) * (wide - 0.24), 0, z])
  return places
    .map((place) => {
      const [x, y] = project(place)
      return potPlant(
        sketch,
        x,
        y,
        (800 / place[2]) * random.between(0.55, 0.85),
        tone(sketch, random.pick(['#c47a55', '#b96a4a', '#e4ddd0', '#6f7f86'])),
      )
    })
    .join('')
}

function lanterns(sketch: Sketch, wide: number, depth: number): string {
  return repeat(3, (index) => {
    const z = 3.2 + index * ((depth - 4) / 3)
    const [x, y] = project([-wide + 0.08, 2.45, z])
    return glow(sketch, x, y, 640 / z, '#ffdf9c', 0.8) + ellipse(x, y, 34 / z, 50 / z, '#fff3cf')
  })
}

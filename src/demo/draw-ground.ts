/**
 * What drawn buildings stand on and among: far cities and trees, lawns, pavements; and the last layer of every picture.
 */
import {
  ellipse,
  horizontal,
  line,
  opacity,
  polygon,
  radial,
  rect,
  rects,
  repeat,
  strokeOpacity,
  vertical,
} from './draw-shapes.ts'
import { canvas, mix, shade, type Sketch, tint, tone } from './draw-sketch.ts'

const { width, height } = canvas

/** A hazy line of far trees along y. */
export function farTrees(sketch: Sketch, y: number, size: number, color = '#6f9468', haze = 0.3): string {
  const { random, light } = sketch
  const leaf = mix(tone(sketch, color), light.sky[2], haze)
  return repeat(Math.round(width / (size * 0.55)), (index) => {
    const r = size * random.between(0.4, 0.75)
    const x = index * size * 0.55 + random.between(-8, 8)
    return ellipse(x, y - r * 0.5, r * 0.8, r, shade(leaf, random.between(0, 0.12)))
  })
}

/** Buildings of a far city standing on y. */
export function skyline(
  sketch: Sketch,
  y: number,
  rise: number,
  haze: number,
  left = 0,
  right: number = width,
): string {
  const { random, light } = sketch
  let out = ''
  for (let x = left - 10; x < right;) {
    const w = random.between(36, 92)
    const h = rise * random.between(0.3, 1)
    const wall = mix(
      tone(sketch, random.pick(['#b9b3ad', '#c9b9a6', '#a9b4bd', '#d3c8ba', '#9fa9b3'])),
      light.sky[1],
      haze,
    )
    out += rect(x, y - h, w, h, horizontal(sketch, tint(wall, 0.1), wall, shade(wall, 0.12)))
    if (random.chance(0.35)) out += rect(x + w * 0.3, y - h - 16, w * 0.3, 16, shade(wall, 0.05))
    const columns = Math.max(2, Math.floor(w / 15))
    const rows = Math.floor((h - 14) / 17)
    const panes: [boolean, readonly [number, number, number, number]][] = []
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        panes.push([
          random.chance(light.lit * 0.5),
          [x + 5 + column * ((w - 6) / columns), y - h + 9 + row * 17, (w - 6) / columns - 5, 9],
        ])
      }
    }
    const which = (lit: boolean) => panes.filter((pane) => pane[0] === lit).map((pane) => pane[1])
    out += rects(which(false), shade(wall, 0.22), opacity(0.45)) + rects(which(true), '#ffdf9a', opacity(0.9))
    x += w + random.between(-4, 12)
  }
  return out
}

/** A lawn from y to the bottom, mown in faint bands. */
export function lawn(sketch: Sketch, y: number, color = '#86ab5e'): string {
  const { random } = sketch
  const green = tone(sketch, color)
  return (
    rect(0, y, width, height - y, vertical(sketch, tint(green, 0.14), green, shade(green, 0.22))) +
    repeat(5, (index) =>
      polygon(
        [
          width * (0.5 + (index - 2.5) * 0.16),
          y,
          width * (0.5 + (index - 2.1) * 0.16),
          y,
          width * (0.5 + (index - 2.1) * 0.5),
          height,
          width * (0.5 + (index - 2.5) * 0.5),
          height,
        ],
        tint(green, 0.3),
        opacity(0.14),
      ),
    ) +
    repeat(90, () => {
      const at = y + (height - y) * random.next() ** 0.7
      const size = 2 + ((at - y) / (height - y)) * 5
      const x = random.next() * width
      return line(
        x,
        at,
        x + random.between(-2, 2),
        at - size,
        random.chance(0.5) ? shade(green, 0.25) : tint(green, 0.3),
        1.6,
        strokeOpacity(0.5),
      )
    })
  )
}

/** A pavement of slabs from y, a kerb, and the street to the bottom. */
export function street(sketch: Sketch, y: number, pavementHeight = 70): string {
  const slab = tone(sketch, '#cdc6bb')
  const asphalt = tone(sketch, '#6d7078')
  const kerb = y + pavementHeight
  const joints = repeat(17, (index) => {
    const x = index * 78 - 20
    return line(x, y, width / 2 + (x - width / 2) * 1.12, kerb, shade(slab, 0.18), 1.4, strokeOpacity(0.6))
  })
  return (
    rect(0, y, width, pavementHeight, vertical(sketch, shade(slab, 0.14), slab, tint(slab, 0.14))) +
    joints +
    line(
      0,
      y + pavementHeight * 0.4,
      width,
      y + pavementHeight * 0.4,
      shade(slab, 0.18),
      1.4,
      strokeOpacity(0.6),
    ) +
    rect(0, kerb, width, 9, tint(slab, 0.25)) +
    rect(0, kerb + 9, width, 8, shade(slab, 0.34)) +
    rect(
      0,
      kerb + 17,
      width,
      height - kerb - 17,
      vertical(sketch, shade(asphalt, 0.14), asphalt, tint(asphalt, 0.1)),
    ) +
    repeat(6, (index) =>
      polygon(
        [
          index * 230 - 40,
          height - 34,
          index * 230 + 80,
          height - 34,
          index * 230 + 76,
          height - 26,
          index * 230 - 48,
          height - 26,
        ],
        tint(asphalt, 0.7),
        opacity(0.75),
      ),
    )
  )
}

/** Softens the corners and warms the side of the sun: the last layer of every picture. */
export function finish(sketch: Sketch): string {
  const dark = '#141833'
  return (
    rect(
      0,
      0,
      width,
      height,
      horizontal(sketch, [sketch.light.sun, 0.14], [sketch.light.sun, 0], [dark, 0.05]),
    ) + rect(0, 0, width, height, radial(sketch, [dark, 0], [dark, 0], [dark, 0.1]))
  )
}

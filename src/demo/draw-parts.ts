/**
 * Parts of drawn façades and streets: tiled roofs, cladding, railings, street lamps and cars.
 */
import {
  clip,
  diagonal,
  ellipse,
  glow,
  group,
  line,
  opacity,
  path,
  polygon,
  rect,
  rects,
  repeat,
  strokeOpacity,
  vertical,
} from './draw-shapes.ts'
import { canvas, mix, shade, type Sketch, tint, tone } from './draw-sketch.ts'

/** A pitched roof of clay tiles between two slopes: the four corners from the upper left, clockwise. */
export function tiledRoof(
  sketch: Sketch,
  corners: readonly [number, number, number, number, number, number, number, number],
  color: string,
): string {
  const tile = tone(sketch, color)
  const shape = polygon(corners, vertical(sketch, tint(tile, 0.1), tile, shade(tile, 0.12)))
  const [ax, ay, , by, cx, cy, dx, dy] = corners
  const top = Math.min(ay, by)
  const bottom = Math.max(cy, dy)
  const left = Math.min(ax, dx)
  const right = Math.max(cx, corners[2])
  const rows = Math.max(3, Math.round((bottom - top) / 15))
  const marks = repeat(rows, (row) => {
    const y = top + ((row + 1) * (bottom - top)) / rows
    const scallops = repeat(Math.ceil((right - left) / 24) + 1, () => ' q6 5 12 0 q6 -3 12 0')
    return path(
      `M${left - (row % 2) * 12} ${y - 3}${scallops}`,
      'none',
      `stroke="${shade(tile, 0.3)}" stroke-width="2" ${strokeOpacity(0.45)}`,
    )
  })
  return (
    shape +
    group(marks, clip(sketch, polygon(corners, '#000'))) +
    line(ax, ay, corners[2], by, tint(tile, 0.22), 6, 'stroke-linecap="round"') +
    line(dx, dy, cx, cy, shade(tile, 0.35), 5)
  )
}

/** Boards, bricks or stones over a wall. */
export function cladding(
  sketch: Sketch,
  x: number,
  y: number,
  w: number,
  h: number,
  kind: 'wood' | 'brick' | 'stone',
  color: string,
): string {
  const { random } = sketch
  const base = tone(sketch, color)
  if (kind === 'wood') {
    let out = rect(x, y, w, h, shade(base, 0.2))
    for (let at = x; at < x + w - 1; at += 15)
      out += rect(
        at,
        y,
        Math.min(13, x + w - at),
        h,
        random.chance(0.5) ? tint(base, random.between(0, 0.14)) : shade(base, random.between(0, 0.14)),
      )
    return out
  }
  // A few tones, each one shape: walls of thousands of bricks stay quick to draw.
  const [rowHeight, length] = kind === 'brick' ? [11, 30] : [25, 46]
  const tones = [tint(base, 0.18), tint(base, 0.08), base, shade(base, 0.08), shade(base, 0.18)]
  const laid = tones.map((): [number, number, number, number][] => [])
  for (let row = 0; row * rowHeight < h; row += 1) {
    for (let at = x - (row % 2) * length * 0.5; at < x + w; at += length) {
      const left = Math.max(x, at)
      const wide =
        Math.min(x + w, at + (kind === 'stone' ? length * random.between(0.84, 0.97) : length - 2.5)) - left
      if (wide > 1)
        laid[random.whole(0, 4)]?.push([
          left,
          y + row * rowHeight,
          wide,
          Math.min(rowHeight - 2.2, h - row * rowHeight),
        ])
    }
  }
  const rounded =
    kind === 'stone'
      ? (color: string) => `stroke="${color}" stroke-width="3" stroke-linejoin="round"`
      : () => ''
  return (
    rect(x, y, w, h, shade(base, kind === 'stone' ? 0.3 : 0.2)) +
    laid.map((list, index) => rects(list, tones[index] as string, rounded(tones[index] as string))).join('')
  )
}

/** A railing of thin bars. */
export function railing(x: number, y: number, w: number, h: number, color: string, gap = 9): string {
  const bars = Array.from(
    { length: Math.floor(w / gap) },
    (_, index) => [x + index * gap, y, 2.2, h] as const,
  )
  return rects(bars, color) + rect(x - 2, y - 3, w + 4, 4.5, color) + rect(x, y + h - 3, w, 3, color)
}

/** A railing of glass. */
export function glassRailing(sketch: Sketch, x: number, y: number, w: number, h: number): string {
  return (
    rect(x, y, w, h, diagonal(sketch, ['#dff0f5', 0.65], ['#9fc0cf', 0.45], ['#e9f5f7', 0.6])) +
    rect(x, y - 3, w, 4, '#5d666f') +
    repeat(Math.floor(w / 60), (index) => rect(x + (index + 1) * 60, y, 2, h, '#ffffff', opacity(0.5)))
  )
}

/** A street lamp standing on y; it shines in the evening. */
export function streetLamp(sketch: Sketch, x: number, y: number, size: number): string {
  const iron = tone(sketch, '#3d434c')
  const on = sketch.light.lit > 0.3
  return (
    rect(x - 3, y - size, 6, size, iron) +
    polygon([x - 8, y, x + 8, y, x + 4, y - size * 0.1, x - 4, y - size * 0.1], iron) +
    polygon(
      [x - 13, y - size - 30, x + 13, y - size - 30, x + 8, y - size, x - 8, y - size],
      on ? '#fff0c4' : mix(iron, '#e8eef0', 0.7),
    ) +
    polygon([x - 17, y - size - 29, x + 17, y - size - 29, x, y - size - 44], iron) +
    (on ? glow(sketch, x, y - size - 15, 120, '#ffdf9c', 0.6) : '')
  )
}

/** A parked car seen from the side; (x, y) is where its front wheel would touch the ground at the left. */
export function car(sketch: Sketch, x: number, y: number, length: number, color: string): string {
  const paint = tone(sketch, color)
  const u = length / 100
  const wheel = (at: number) =>
    ellipse(x + at * u, y - 6 * u, 8.4 * u, 8.4 * u, '#23262c') +
    ellipse(x + at * u, y - 6 * u, 4.8 * u, 4.8 * u, '#b9bec4') +
    ellipse(x + at * u, y - 6 * u, 1.6 * u, 1.6 * u, '#5b6068')
  const at = (px: number, py: number) => `${x + px * u} ${y - py * u}`
  return (
    ellipse(x + 50 * u, y + 1.5 * u, 52 * u, 4 * u, '#141a33', opacity(0.35)) +
    path(
      `M${at(2, 8)} Q${at(0, 17)} ${at(6, 20)} L${at(22, 23)} Q${at(31, 35)} ${at(42, 35)} L${at(62, 35)} Q${at(73, 35)} ${at(81, 24)} L${at(94, 21)} Q${at(100, 19)} ${at(99, 9)} L${at(97, 7)} L${at(4, 7)} Z`,
      vertical(sketch, tint(paint, 0.3), paint, shade(paint, 0.3)),
    ) +
    path(
      `M${at(26, 23)} Q${at(33, 32)} ${at(42, 32)} L${at(49, 32)} L${at(49, 23)} Z`,
      vertical(sketch, '#a9c2cf', '#50677a'),
    ) +
    path(
      `M${at(52, 23)} L${at(52, 32)} L${at(61, 32)} Q${at(69, 32)} ${at(76, 23)} Z`,
      vertical(sketch, '#a9c2cf', '#50677a'),
    ) +
    line(x + 8 * u, y - 18 * u, x + 96 * u, y - 18.5 * u, tint(paint, 0.5), 0.7 * u) +
    rect(x + 45 * u, y - 20.5 * u, 5 * u, 1.2 * u, shade(paint, 0.4)) +
    ellipse(x + 4.5 * u, y - 16.5 * u, 2.6 * u, 1.6 * u, '#fff6d6') +
    ellipse(x + 97 * u, y - 16 * u, 1.8 * u, 2 * u, '#c9453f') +
    wheel(20) +
    wheel(79)
  )
}

/** Mirrored, for variety. */
export function flipped(content: string, flip: boolean): string {
  return flip ? group(content, `transform="translate(${canvas.width} 0) scale(-1 1)"`) : content
}

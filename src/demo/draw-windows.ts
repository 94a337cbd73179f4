/**
 * Windows, glass and doors of drawn façades.
 */
import {
  ellipse,
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
import { mix, shade, type Sketch, tint, tone } from './draw-sketch.ts'

export type WindowStyle = {
  /** Panes side by side. */
  panes?: number
  rows?: number
  frame?: string
  sill?: boolean
  shutters?: string
  /** Leave the lamp to chance, or not. */
  lit?: boolean
}

/** A window with its reveal, glass, what is seen behind it, and bars. */
export function window(
  sketch: Sketch,
  x: number,
  y: number,
  w: number,
  h: number,
  style: WindowStyle = {},
): string {
  const { random, light } = sketch
  const frame = tone(sketch, style.frame ?? '#f3efe8')
  const edge = Math.max(2.5, Math.min(w, h) * 0.045)
  const lit = style.lit ?? random.chance(light.lit)
  const panes = style.panes ?? 2
  const rows = style.rows ?? 1
  let out = rect(x - edge, y - edge, w + edge * 2, h + edge * 2, shade(frame, 0.06))
  out += glass(sketch, x, y, w, h, lit)
  out += rect(x, y, w, edge * 1.6, '#141a33', opacity(0.22)) + rect(x, y, edge, h, '#141a33', opacity(0.14))
  for (let pane = 1; pane < panes; pane += 1)
    out += rect(x + (w * pane) / panes - edge * 0.4, y, edge * 0.8, h, frame)
  for (let row = 1; row < rows; row += 1)
    out += rect(x, y + (h * row) / rows - edge * 0.35, w, edge * 0.7, frame)
  if (style.sill !== false) {
    out += rect(x - edge * 2.6, y + h + edge, w + edge * 5.2, edge * 1.5, tint(frame, 0.3))
    out += rect(x - edge * 1.6, y + h + edge * 2.5, w + edge * 3.2, edge * 1.6, '#141a33', opacity(0.16))
  }
  if (style.shutters !== undefined) {
    const color = tone(sketch, style.shutters)
    const s = w * 0.42
    for (const at of [x - s - edge * 1.4, x + w + edge * 1.4]) {
      out +=
        rect(at + 2, y - edge + 4, s, h + edge * 2, '#141a33', opacity(0.2)) +
        rect(at, y - edge, s, h + edge * 2, color)
      out += rects(
        Array.from(
          { length: Math.floor(h / 9) },
          (_, slat) => [at + s * 0.14, y + 3 + slat * 9, s * 0.72, 3.4] as const,
        ),
        shade(color, 0.24),
      )
    }
  }
  return out
}

/** Glass alone: by day it holds the sky and a curtain, in the evening the lamp behind it. */
export function glass(sketch: Sketch, x: number, y: number, w: number, h: number, lit: boolean): string {
  const { random, light } = sketch
  const [top, , bottom] = light.sky
  if (!lit) {
    const deep = mix(tone(sketch, '#4c6478'), top, 0.25)
    const streak = random.between(0.1, 0.5)
    const curtain = random.chance(0.55) ? curtains(x, y, w, h, mix('#eef0ee', deep, 0.45), 0.55) : ''
    return (
      rect(x, y, w, h, vertical(sketch, mix(deep, top, 0.35), deep, mix(deep, bottom, 0.28))) +
      curtain +
      polygon(
        [
          x + w * streak,
          y,
          x + w * (streak + 0.24),
          y,
          x + w * (streak - 0.02),
          y + h,
          x + w * Math.max(0, streak - 0.26),
          y + h,
        ],
        '#ffffff',
        opacity(0.15),
      )
    )
  }
  const lamp = random.pick(['#ffe2a0', '#ffd98c', '#ffe9b8'])
  return (
    rect(x, y, w, h, vertical(sketch, tint(lamp, 0.25), lamp, mix(lamp, '#d9904f', 0.55))) +
    rect(x, y + h * 0.78, w, h * 0.22, '#a8663c', opacity(0.35)) +
    (random.chance(0.7) ? curtains(x, y, w, h, '#fff5dd', 0.6) : '') +
    ellipse(x + w * 0.5, y + h * 0.4, w * 0.24, h * 0.2, '#fffbe6', opacity(0.4))
  )
}

function curtains(x: number, y: number, w: number, h: number, color: string, strength: number): string {
  const side = (from: number, to: number) => {
    const s = w * 0.24
    const direction = Math.sign(to - from)
    return (
      path(
        `M${from} ${y} L${from + direction * s} ${y} Q${from + direction * s * 0.7} ${y + h * 0.6} ${from + direction * s * 0.85} ${y + h} L${from} ${y + h} Z`,
        color,
        opacity(strength),
      ) +
      repeat(2, (fold) =>
        line(
          from + direction * s * (0.3 + fold * 0.3),
          y,
          from + direction * s * (0.26 + fold * 0.28),
          y + h,
          '#8c8478',
          1,
          strokeOpacity(0.25),
        ),
      )
    )
  }
  return side(x, x + w) + side(x + w, x)
}

/** A front door with panels and a handle. */
export function door(
  sketch: Sketch,
  x: number,
  y: number,
  w: number,
  h: number,
  color: string,
  panels = 3,
): string {
  const wood = tone(sketch, color)
  const frame = tone(sketch, '#efe9df')
  return (
    rect(x - 7, y - 7, w + 14, h + 7, shade(frame, 0.08)) +
    rect(x, y, w, h, vertical(sketch, shade(wood, 0.16), wood)) +
    repeat(panels, (index) => {
      const ph = (h - 16) / panels
      return (
        rect(x + w * 0.14, y + 10 + index * ph, w * 0.72, ph - 10, shade(wood, 0.2)) +
        rect(x + w * 0.14 + 3, y + 13 + index * ph, w * 0.72 - 3, ph - 13, tint(wood, 0.06))
      )
    }) +
    rect(x + w * 0.84, y + h * 0.48, w * 0.06, h * 0.12, '#e3c27c') +
    rect(x, y, w, 7, '#141a33', opacity(0.25)) +
    rect(x - 14, y + h - 3, w + 28, 9, tint(frame, 0.1))
  )
}

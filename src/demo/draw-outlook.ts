/**
 * Windows in the back wall of a drawn room, what is seen through them, and the sunlight they throw.
 */
import { face, frontOf } from './draw-perspective.ts'
import { type Room } from './draw-room.ts'
import { clip, ellipse, glow, group, opacity, polygon, rect, repeat, vertical } from './draw-shapes.ts'
import { mix, shade, type Sketch, tint, tone } from './draw-sketch.ts'

export type Outlook = 'city' | 'garden' | 'mountains'

/** What is seen through a window that covers this rectangle of the canvas. */
export function outlook(sketch: Sketch, kind: Outlook, x: number, y: number, w: number, h: number): string {
  const { random, light } = sketch
  const [top, middle, bottom] = light.sky
  const horizon = y + h * 0.72
  let inside =
    rect(x, y, w, h, vertical(sketch, top, middle, bottom)) +
    glow(sketch, x + w * random.between(0.2, 0.8), y + h * 0.3, h * 0.7, light.sun, 0.7)
  if (kind === 'city') {
    for (const [haze, rise] of [
      [0.5, 0.42],
      [0.22, 0.28],
    ] as const) {
      for (let at = x - 8; at < x + w;) {
        const wide = random.between(16, 40)
        const high = h * rise * random.between(0.4, 1)
        const color = mix(
          tone(sketch, random.pick(['#b7b0aa', '#c6b7a4', '#a3afb9', '#d0c5b7'])),
          middle,
          haze,
        )
        inside += rect(at, horizon - high, wide, h, color)
        inside += repeat(Math.floor(high / 13), (row) =>
          rect(
            at + 3,
            horizon - high + 5 + row * 13,
            wide - 6,
            4,
            random.chance(light.lit) ? '#ffdf9a' : shade(color, 0.2),
            opacity(0.6),
          ),
        )
        at += wide + random.between(0, 6)
      }
    }
  } else {
    if (kind === 'mountains') {
      for (let at = x - 30; at < x + w + 30; at += random.between(50, 80)) {
        const high = h * random.between(0.22, 0.44)
        const rock = mix(tone(sketch, '#8090b2'), middle, 0.3)
        inside +=
          polygon([at - high * 0.8, horizon + 3, at, horizon - high, at + high * 0.8, horizon + 3], rock) +
          polygon(
            [
              at - high * 0.18,
              horizon - high * 0.78,
              at,
              horizon - high,
              at + high * 0.18,
              horizon - high * 0.78,
              at + high * 0.05,
              horizon - high * 0.7,
            ],
            '#f4f7fa',
          )
      }
    }
    const leaf = tone(sketch, '#6d9a62')
    inside += rect(x, horizon, w, h, vertical(sketch, tone(sketch, '#93b86e'), tone(sketch, '#6f9a52')))
    inside += repeat(Math.ceil(w / 26), (index) =>
      ellipse(
        x + index * 28 + random.between(-6, 6),
        horizon - 8,
        random.between(18, 30),
        random.between(18, 46),
        shade(leaf, random.between(0, 0.28)),
      ),
    )
  }
  return group(inside, clip(sketch, rect(x, y, w, h, '#000')))
}

export type Opening = {
  x: number
  y: number
  w: number
  h: number
  panes?: number
  frame?: string
  curtains?: string | null
}

/** A window or glass door in the back wall, in metres. */
export function backWindow(sketch: Sketch, room: Room, opening: Opening, kind: Outlook): string {
  const front = frontOf({ ...opening, z: room.depth })
  const { x, y, w, h, unit } = front
  const frame = opening.frame ?? tint(room.wall, 0.7)
  const panes = opening.panes ?? 2
  const bar = 0.05 * unit
  return (
    rect(x - bar * 1.5, y - bar * 1.5, w + bar * 3, h + bar * 3, shade(frame, 0.1)) +
    outlook(sketch, kind, x, y, w, h) +
    polygon(
      [x + w * 0.1, y, x + w * 0.3, y, x + w * 0.14, y + h, x, y + h, x, y + h * 0.6],
      '#ffffff',
      opacity(0.16),
    ) +
    repeat(panes + 1, (index) => rect(x - bar / 2 + (w * index) / panes, y, bar, h, frame)) +
    rect(x - bar, y - bar, w + bar * 2, bar * 1.4, frame) +
    rect(x - bar, y + h - bar * 0.4, w + bar * 2, bar * 1.4, frame) +
    (opening.curtains == null ? '' : drapes(sketch, x, y, w, h, unit, opening.curtains))
  )
}

function drapes(
  sketch: Sketch,
  x: number,
  y: number,
  w: number,
  h: number,
  unit: number,
  color: string,
): string {
  const wide = Math.min(w * 0.22, 0.55 * unit)
  const top = y - 0.16 * unit
  const tall = h + 0.2 * unit
  const one = (left: number) =>
    rect(left, top, wide, tall, vertical(sketch, tint(color, 0.2), color)) +
    repeat(4, (fold) =>
      rect(left + (fold + 0.62) * (wide / 4), top, wide / 11, tall, shade(color, 0.2), opacity(0.5)),
    )
  return (
    rect(x - wide * 0.8, top - 5, w + wide * 1.6, 5, '#6a5a4a') +
    one(x - wide * 0.6) +
    one(x + w - wide * 0.4)
  )
}

/** Sunlight that a window throws on the floor; none in the evening. */
export function sunPatch(sketch: Sketch, room: Room, x: number, w: number, lean: number): string {
  if (sketch.light.hour === 'dusk') return ''
  const pane = (from: number) => {
    const far = room.depth - 0.35
    return face(
      [
        [from, 0.002, far],
        [from + w * 0.44, 0.002, far],
        [from + w * 0.44 + lean, 0.002, far - 2],
        [from + lean, 0.002, far - 2],
      ],
      vertical(sketch, [sketch.light.sun, 0.5], [sketch.light.sun, 0.2]),
    )
  }
  return pane(x) + pane(x + w * 0.54)
}

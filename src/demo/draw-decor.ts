/**
 * What several drawn rooms are furnished with: pictures, hanging lamps, rugs and chairs.
 */
import { box, eye, flat, frontOf, project } from './draw-perspective.ts'
import { accents, indoor, type Room } from './draw-room.ts'
import { clip, ellipse, glow, group, line, opacity, path, rect, repeat, vertical } from './draw-shapes.ts'
import { shade, type Sketch, tint } from './draw-sketch.ts'

export function rug(sketch: Sketch, room: Room, x: number, z: number, w: number, d: number): string {
  const { random } = sketch
  const color = indoor(sketch, random.pick(['#e8dfd0', '#cfd6d6', '#dcc7b0', '#c9b9a9']))
  const sheet = (inset: number, fill: string, more = '') =>
    flat([x + inset, x + w - inset], 0.012, [z + inset, z + d - inset], fill, more)
  const stripes = random.chance(0.5)
    ? repeat(5, (index) =>
        flat(
          [x, x + w],
          0.013,
          [z + 0.15 + index * (d / 5), z + 0.22 + index * (d / 5)],
          room.accent,
          opacity(0.55),
        ),
      )
    : sheet(0.12, room.accent, opacity(0.4)) + sheet(0.2, color)
  return sheet(-0.02, shade(color, 0.3), opacity(0.4)) + sheet(0, color) + stripes
}

/** A framed picture of shapes on the back wall, in metres. */
export function painting(sketch: Sketch, room: Room, x: number, y: number, w: number, h: number): string {
  const { random } = sketch
  const at = frontOf({ x, y, w, h, z: room.depth })
  const paper = '#f6f1e7'
  const inner = { x: at.x + at.w * 0.12, y: at.y + at.h * 0.1, w: at.w * 0.76, h: at.h * 0.8 }
  const tones = [room.accent, random.pick(accents), '#e3c9a8', '#3a4a5c']
  const art = random.chance(0.5)
    ? ellipse(
        inner.x + inner.w * 0.6,
        inner.y + inner.h * 0.34,
        inner.w * 0.24,
        inner.w * 0.24,
        tones[1] as string,
      ) +
      path(
        `M${inner.x} ${inner.y + inner.h * 0.6} q${inner.w * 0.25} ${-inner.h * 0.2} ${inner.w * 0.5} 0 t${inner.w * 0.5} 0 V${inner.y + inner.h} H${inner.x} Z`,
        tones[0] as string,
      ) +
      path(
        `M${inner.x} ${inner.y + inner.h * 0.8} q${inner.w * 0.25} ${-inner.h * 0.14} ${inner.w * 0.5} 0 t${inner.w * 0.5} 0 V${inner.y + inner.h} H${inner.x} Z`,
        shade(tones[0] as string, 0.3),
      )
    : rect(
        inner.x + inner.w * 0.1,
        inner.y + inner.h * 0.16,
        inner.w * 0.46,
        inner.h * 0.5,
        tones[2] as string,
      ) +
      rect(
        inner.x + inner.w * 0.36,
        inner.y + inner.h * 0.4,
        inner.w * 0.5,
        inner.h * 0.46,
        tones[0] as string,
        opacity(0.85),
      ) +
      ellipse(
        inner.x + inner.w * 0.68,
        inner.y + inner.h * 0.28,
        inner.w * 0.13,
        inner.w * 0.13,
        tones[3] as string,
      )
  return (
    rect(at.x + 5, at.y + 7, at.w, at.h, '#141a33', opacity(0.18)) +
    rect(at.x, at.y, at.w, at.h, random.pick(['#3b332d', '#c7a173', '#f4efe6'])) +
    rect(at.x + 4, at.y + 4, at.w - 8, at.h - 8, paper) +
    group(art, clip(sketch, rect(inner.x, inner.y, inner.w, inner.h, '#000')))
  )
}

/** A lamp that hangs from the ceiling. */
export function pendant(
  sketch: Sketch,
  room: Room,
  x: number,
  z: number,
  drop: number,
  size: number,
  color: string,
): string {
  const [cx, top] = project([x, room.height, z])
  const [, y] = project([x, room.height - drop, z])
  const r = (size * eye.focus) / z
  const on = sketch.light.lit > 0.3
  return (
    line(cx, top, cx, y - r * 0.7, '#3a3a3c', 2) +
    (on ? glow(sketch, cx, y + r * 0.2, r * 4.4, '#ffe0a0', 0.7) : '') +
    path(
      `M${cx - r} ${y} Q${cx - r} ${y - r * 0.95} ${cx} ${y - r} Q${cx + r} ${y - r * 0.95} ${cx + r} ${y} Z`,
      vertical(sketch, tint(color, 0.16), color),
    ) +
    ellipse(cx, y, r, r * 0.16, on ? '#fff3cf' : shade(color, 0.4))
  )
}

export function seat(sketch: Sketch, x: number, z: number, color: string): string {
  const back = frontOf({ x: x + 0.02, y: 0.55, w: 0.52, h: 0.52, z: z + 0.02 })
  const [cx, foot] = project([x + 0.28, 0, z + 0.25])
  const [, high] = project([x + 0.28, 0.45, z + 0.25])
  const u = back.unit
  return (
    ellipse(cx, foot, u * 0.34, u * 0.07, '#141a33', opacity(0.3)) +
    line(cx, high, cx, foot - 4, '#3b4046', u * 0.05) +
    line(cx - u * 0.28, foot, cx + u * 0.28, foot, '#3b4046', u * 0.04) +
    box(sketch, { x, y: 0.44, z, w: 0.56, h: 0.08, d: 0.5 }, color) +
    rect(back.x, back.y, back.w, back.h, vertical(sketch, tint(color, 0.18), color), `rx="${back.w * 0.16}"`)
  )
}

/**
 * Parking places under a building.
 */
import { finish } from './draw-ground.ts'
import { flipped } from './draw-parts.ts'
import { box, face, flat, floorShadow, frontOf, project, side, upright } from './draw-perspective.ts'
import { indoor, newRoom, shell } from './draw-room.ts'
import { ellipse, glow, opacity, path, polygon, rect, repeat, vertical } from './draw-shapes.ts'
import { shade, type Sketch, tint } from './draw-sketch.ts'

/** Marked places, pillars and parked cars under lamps. */
export function garage(sketch: Sketch): string {
  const { random } = sketch
  const room = newRoom(sketch, { width: 9.6, depth: 8.2, height: 2.6, wall: '#d9d8d4' })
  const colors = ['#b9c0c6', '#39475a', '#9a3f3a', '#efece6', '#5f7a6b', '#c99a4b', '#2f3238']
  const places = [-4.2, -1.4, 1.4]
  const paint = '#e9c24d'
  const free = random.whole(0, 2)
  const stripe = (x: number) => flat([x - 0.06, x + 0.06], 0.004, [3.7, 8.1], paint)
  const lamp = (x: number, z: number) => {
    const [cx, cy] = project([x, 2.5, z])
    return (
      flat([x - 0.7, x + 0.7], 2.5, [z, z + 0.16], '#fffbe9') + glow(sketch, cx, cy, 900 / z, '#fff3cf', 0.42)
    )
  }
  return (
    flipped(
      shell(sketch, room, 'concrete', '#d3d4d2') +
        band(room.width / 2, room.depth, room.accent) +
        [-4.25, -1.4, 1.4, 4.25].map(stripe).join('') +
        repeat(5, (index) => upright([-4.8, 4.8], [2.6, 2.46], 2 + index * 1.4, '#b3b3b0')) +
        lamp(-2.4, 6.4) +
        lamp(2.4, 6.4) +
        lamp(-1.9, 4.2) +
        lamp(1.9, 4.2) +
        pipe(-0.5) +
        pipe(-0.25) +
        places
          .map((x, index) =>
            index === free ? arrow(x + 1.4) : carFront(sketch, x + 0.5, 5.6, random.pick(colors)),
          )
          .join('') +
        [-1.4, 1.4].map((x) => pillar(sketch, x, room.accent)).join(''),
      random.chance(0.5),
    ) + finish(sketch)
  )
}

function band(half: number, depth: number, color: string): string {
  return (
    upright([-half, half], [0.5, 1.05], depth - 0.01, color) +
    side(-half, [0.5, 1.05], [1.2, depth], shade(color, 0.12)) +
    side(half, [0.5, 1.05], [1.2, depth], shade(color, 0.2))
  )
}

function pipe(x: number): string {
  return flat([x, x + 0.12], 2.36, [2, 8.1], '#9aa0a3') + flat([x, x + 0.04], 2.36, [2, 8.1], '#c8cccd')
}

function arrow(x: number): string {
  return (
    flat([x - 0.12, x + 0.12], 0.004, [4.2, 5.6], '#f3efe4', opacity(0.85)) +
    face(
      [
        [x - 0.4, 0.004, 5.5],
        [x + 0.4, 0.004, 5.5],
        [x, 0.004, 6.4],
      ],
      '#f3efe4',
      opacity(0.85),
    )
  )
}

function pillar(sketch: Sketch, x: number, accent: string): string {
  const column = { x: x - 0.2, z: 4.6, w: 0.4, d: 0.4 }
  const at = frontOf({ x: x - 0.2, y: 0.02, w: 0.4, h: 0.9, z: 4.6 })
  return (
    floorShadow(sketch, x - 0.3, 4.6, 0.6, 0.4) +
    box(sketch, { ...column, y: 0, h: 2.6 }, '#cfcfcb') +
    box(sketch, { ...column, y: 0, h: 0.92 }, '#e6bf48') +
    repeat(3, (index) =>
      polygon(
        [
          at.x,
          at.y + 18 + index * 44,
          at.x + at.w,
          at.y - 4 + index * 44,
          at.x + at.w,
          at.y + 18 + index * 44,
          at.x,
          at.y + 40 + index * 44,
        ],
        '#2d3036',
      ),
    ) +
    box(sketch, { ...column, y: 1.35, h: 0.36 }, accent)
  )
}

function carFront(sketch: Sketch, x: number, z: number, color: string): string {
  const { x: left, y: top, w, h } = frontOf({ x, y: 0.02, w: 1.8, h: 1.46, z })
  const px = (share: number) => left + w * share
  const py = (share: number) => top + h * share
  const paint = indoor(sketch, color)
  const lamp = (share: number) =>
    ellipse(px(share), py(0.6), w * 0.085, h * 0.062, '#f6f8f8') +
    ellipse(px(share), py(0.6), w * 0.04, h * 0.034, '#c7d6dc')
  return (
    floorShadow(sketch, x - 0.1, z - 0.2, 2, 1.2) +
    rect(px(0.05), py(0.78), w * 0.15, h * 0.22, '#202329', 'rx="6"') +
    rect(px(0.8), py(0.78), w * 0.15, h * 0.22, '#202329', 'rx="6"') +
    path(
      `M${px(0.16)} ${py(0.42)} Q${px(0.22)} ${py(0.02)} ${px(0.34)} ${py(0.01)} H${px(0.66)} Q${px(0.78)} ${py(0.02)} ${px(0.84)} ${py(0.42)} Z`,
      shade(paint, 0.12),
    ) +
    path(
      `M${px(0.22)} ${py(0.4)} Q${px(0.27)} ${py(0.07)} ${px(0.36)} ${py(0.06)} H${px(0.64)} Q${px(0.73)} ${py(0.07)} ${px(0.78)} ${py(0.4)} Z`,
      vertical(sketch, '#90a8b6', '#3d4d5b'),
    ) +
    polygon(
      [px(0.36), py(0.08), px(0.48), py(0.08), px(0.38), py(0.38), px(0.27), py(0.38)],
      '#ffffff',
      opacity(0.16),
    ) +
    path(
      `M${px(0.02)} ${py(0.62)} Q${px(0.03)} ${py(0.42)} ${px(0.16)} ${py(0.4)} H${px(0.84)} Q${px(0.97)} ${py(0.42)} ${px(0.98)} ${py(0.62)} L${px(0.97)} ${py(0.88)} H${px(0.03)} Z`,
      vertical(sketch, tint(paint, 0.3), paint, shade(paint, 0.24)),
    ) +
    ellipse(px(0.01), py(0.38), w * 0.05, h * 0.05, paint) +
    ellipse(px(0.99), py(0.38), w * 0.05, h * 0.05, paint) +
    rect(px(0.28), py(0.57), w * 0.44, h * 0.1, '#2b3037', 'rx="5"') +
    rect(px(0.37), py(0.74), w * 0.26, h * 0.08, '#f1efe9') +
    rect(px(0.08), py(0.86), w * 0.84, h * 0.05, shade(paint, 0.45)) +
    lamp(0.15) +
    lamp(0.85)
  )
}

/**
 * Bedrooms.
 */
import { painting, pendant, rug } from './draw-decor.ts'
import { finish } from './draw-ground.ts'
import { outlooks } from './draw-living.ts'
import { backWindow } from './draw-outlook.ts'
import { flipped } from './draw-parts.ts'
import { box, flat, floorShadow, frontOf, project, side, upright } from './draw-perspective.ts'
import { potPlant } from './draw-plants.ts'
import { indoor, newRoom, type Room, shell } from './draw-room.ts'
import { ellipse, glow, line, polygon, rect, repeat, strokeOpacity, vertical } from './draw-shapes.ts'
import { shade, type Sketch, tint } from './draw-sketch.ts'

/** A double bed against the back wall, bedside tables, a window and a wardrobe. */
export function bedroom(sketch: Sketch): string {
  const { random } = sketch
  const room = newRoom(sketch, { width: random.between(4.9, 5.5) })
  const half = room.width / 2
  const linen = indoor(sketch, random.pick(['#f4f0e8', '#eef0f0', '#f1e8dc']))
  const bedX = random.between(-0.55, -0.2)
  const windowX = -half + 0.35
  const content =
    shell(sketch, room, 'wood', random.chance(0.55) ? tint(room.accent, 0.35) : room.wall) +
    backWindow(
      sketch,
      room,
      {
        x: windowX,
        y: 0.75,
        w: Math.max(1, bedX - windowX - 0.75),
        h: 1.5,
        panes: 2,
        curtains: indoor(sketch, random.pick(['#f0e9dc', '#d7dcd9', '#e3d2c4'])),
      },
      random.pick(outlooks),
    ) +
    painting(sketch, room, bedX + 0.35, 1.5, 1.05, 0.62) +
    wardrobe(sketch, room) +
    rug(sketch, room, bedX - 0.5, 2.35, 2.7, 1.5) +
    bedside(sketch, room, bedX - 0.62) +
    bedside(sketch, room, bedX + 1.86) +
    bed(sketch, room, bedX, linen) +
    pendant(sketch, room, bedX + 0.9, 3.4, 0.5, 0.22, random.pick(['#f2ead9', '#e6d7bd', '#474b50'])) +
    corner(sketch, room)
  return flipped(content, random.chance(0.5)) + finish(sketch)
}

/** Beside the window: a plant, a chest of drawers under a mirror, or a rack of baskets. */
function corner(sketch: Sketch, room: Room): string {
  const { random } = sketch
  const x = -room.width / 2
  const [plantX, plantY] = project([x + 0.42, 0, room.depth - 1.15])
  const plant = potPlant(
    sketch,
    plantX,
    plantY,
    random.between(150, 210),
    random.pick(['#c47a55', '#e4ddd0']),
  )
  if (random.chance(0.45)) return plant
  const z = room.depth - 2.55
  const wood = tint(room.wood, 0.06)
  const drawers = repeat(6, (index) => {
    const from = z + 0.05 + (index % 2) * 0.68
    const y = 0.14 + Math.floor(index / 2) * 0.25
    return (
      side(x + 0.462, [y, y + 0.22], [from, from + 0.63], tint(wood, 0.16)) +
      side(x + 0.464, [y + 0.09, y + 0.12], [from + 0.24, from + 0.39], '#4a3d30')
    )
  })
  return (
    plant +
    side(x + 0.01, [1.15, 1.95], [z + 0.3, z + 1.1], shade(room.wood, 0.2)) +
    side(x + 0.012, [1.2, 1.9], [z + 0.36, z + 1.04], vertical(sketch, '#e3edf0', '#bccfd6')) +
    floorShadow(sketch, x, z, 0.5, 1.4) +
    box(sketch, { x, y: 0.08, z, w: 0.46, h: 0.8, d: 1.4 }, wood) +
    drawers
  )
}

function bed(sketch: Sketch, room: Room, x: number, linen: string): string {
  const far = room.depth - 0.12
  const z = far - 2.05
  const w = 1.75
  const cover = tint(room.accent, 0.12)
  const pillow = (left: number, y: number, depth: number, color: string) => {
    const at = frontOf({ x: left, y, w: 0.66, h: 0.34, z: far - depth })
    return rect(
      at.x,
      at.y,
      at.w,
      at.h,
      vertical(sketch, tint(color, 0.3), shade(color, 0.06)),
      `rx="${at.h * 0.3}"`,
    )
  }
  return (
    box(sketch, { x: x - 0.12, y: 0.1, z: far, w: w + 0.24, h: 1.12, d: 0.1 }, shade(room.wood, 0.1)) +
    floorShadow(sketch, x - 0.1, z, w + 0.2, 2) +
    box(sketch, { x, y: 0.12, z, w, h: 0.22, d: 2.05 }, room.wood) +
    box(sketch, { x: x + 0.02, y: 0.32, z: z + 0.02, w: w - 0.04, h: 0.24, d: 2 }, linen) +
    pillow(x + 0.12, 0.56, 0.14, tint(linen, 0.4)) +
    pillow(x + 0.96, 0.56, 0.14, tint(linen, 0.4)) +
    pillow(x + 0.3, 0.55, 0.36, room.accent) +
    pillow(x + 0.82, 0.55, 0.36, linen) +
    // The blanket hangs over the foot of the bed.
    flat([x - 0.04, x + w + 0.04], 0.585, [z - 0.02, z + 1.15], tint(cover, 0.18)) +
    upright([x - 0.04, x + w + 0.04], [0.16, 0.585], z - 0.02, vertical(sketch, cover, shade(cover, 0.16))) +
    flat([x - 0.04, x + w + 0.04], 0.588, [z + 1.0, z + 1.32], tint(linen, 0.5)) +
    repeat(5, (index) => floorLine(x + 0.2 + index * 0.33, z, shade(cover, 0.3)))
  )
}

function floorLine(x: number, z: number, color: string): string {
  const [x1, y1] = project([x, 0.58, z - 0.02])
  const [x2, y2] = project([x - 0.02, 0.17, z - 0.02])
  return line(x1, y1, x2, y2, color, 2, strokeOpacity(0.3))
}

function bedside(sketch: Sketch, room: Room, x: number): string {
  const z = room.depth - 0.55
  const [cx, cy] = project([x + 0.24, 0.55, z + 0.2])
  const on = sketch.light.lit > 0.3
  const shadeColor = on ? '#ffe9b6' : '#f3ead8'
  return (
    floorShadow(sketch, x, z, 0.5, 0.4) +
    box(sketch, { x, y: 0.1, z, w: 0.5, h: 0.42, d: 0.4 }, shade(room.wood, 0.04)) +
    (() => {
      const at = frontOf({ x: x + 0.03, y: 0.3, w: 0.44, h: 0.18, z })
      return (
        rect(at.x, at.y, at.w, at.h, tint(room.wood, 0.12)) +
        ellipse(at.x + at.w / 2, at.y + at.h / 2, 3, 3, '#4a3d30')
      )
    })() +
    rect(cx - 2, cy - 34, 4, 34, '#8a7a62') +
    ellipse(cx, cy, 15, 4, '#8a7a62') +
    (on ? glow(sketch, cx, cy - 48, 150, '#ffdf9c', 0.8) : '') +
    polygon([cx - 13, cy - 66, cx + 13, cy - 66, cx + 23, cy - 30, cx - 23, cy - 30], shadeColor)
  )
}

function wardrobe(sketch: Sketch, room: Room): string {
  const { random } = sketch
  const half = room.width / 2
  const color = random.pick([tint(room.wood, 0.1), tint(room.wall, 0.4), shade(room.wood, 0.1)])
  const z = room.depth - 2.1
  const panel = (from: number, to: number) =>
    side(half - 0.6, [0.08, 2.32], [from, to], tint(color, 0.08)) +
    side(half - 0.602, [1.05, 1.45], [from + 0.06, from + 0.1], '#5b5046')
  return (
    box(sketch, { x: half - 0.6, y: 0, z, w: 0.6, h: 2.36, d: 2.08 }, color) +
    repeat(3, (index) => panel(z + 0.04 + index * 0.69, z + 0.68 + index * 0.69))
  )
}

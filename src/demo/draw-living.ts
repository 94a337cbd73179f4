/**
 * Living rooms.
 */
import { painting, pendant, rug } from './draw-decor.ts'
import { finish } from './draw-ground.ts'
import { backWindow, type Outlook, sunPatch } from './draw-outlook.ts'
import { flipped } from './draw-parts.ts'
import { box, floorShadow, frontOf, project } from './draw-perspective.ts'
import { potPlant } from './draw-plants.ts'
import { accents, indoor, newRoom, type Room, shell } from './draw-room.ts'
import { ellipse, glow, opacity, path, polygon, rect, repeat, vertical } from './draw-shapes.ts'
import { shade, type Sketch, tint } from './draw-sketch.ts'

export const outlooks: readonly Outlook[] = ['city', 'city', 'garden', 'mountains']

/** A sofa by a large window, a low table, a rug, shelves and plants. */
export function living(sketch: Sketch): string {
  const { random } = sketch
  const room = newRoom(sketch)
  const half = room.width / 2
  const windowX = random.between(-1.9, -0.9)
  const windowW = random.between(2, 2.6)
  const onLeft = random.chance(0.5)
  const fabric = indoor(
    sketch,
    random.pick(['#8b98a5', '#b7a893', '#6f8791', '#a5aa98', '#c3b6aa', '#5d6d7e']),
  )
  const artX = windowX + windowW + 0.55
  const content =
    shell(sketch, room, 'wood', random.chance(0.3) ? room.accent : room.wall) +
    backWindow(
      sketch,
      room,
      {
        x: windowX,
        y: 0.12,
        w: windowW,
        h: 2.15,
        panes: 3,
        frame: random.pick(['#3c4046', '#f4efe6']),
        curtains: indoor(sketch, random.pick(['#efe7d8', '#d8d3c8', '#cfd8d6'])),
      },
      random.pick(outlooks),
    ) +
    sunPatch(sketch, room, windowX, windowW, random.between(-0.8, 0.9)) +
    (artX + 0.6 < half ? painting(sketch, room, artX, 1.15, 0.62, 0.82) : '') +
    (random.chance(0.35) ? hearth(sketch, room, onLeft) : sideboard(sketch, room, onLeft)) +
    rug(sketch, room, random.between(-1.3, -1.1), 2.7, 2.5, 1.7) +
    sofa(sketch, onLeft ? -half + 0.35 : half - 2.5, room.depth - 1.75, fabric, room.accent) +
    coffeeTable(sketch, room, random.between(-0.75, -0.45), 3.1) +
    (random.chance(0.75)
      ? armchair(sketch, onLeft ? 1.15 : -1.9, 3.05, indoor(sketch, random.pick(accents)))
      : '') +
    floorLamp(sketch, room, onLeft ? -half + 0.22 : half - 0.22, room.depth - 0.75) +
    (random.chance(0.6)
      ? pendant(sketch, room, 0.1, 3.6, 0.55, 0.24, random.pick(['#f2ead9', room.accent, '#3d4248']))
      : '') +
    plantAt(sketch, onLeft ? half - 0.5 : -half + 0.5, 3.9, random.between(0.9, 1.2))
  return flipped(content, random.chance(0.5)) + finish(sketch)
}

/** A chimney breast with a fire. */
function hearth(sketch: Sketch, room: Room, right: boolean): string {
  const w = 1.25
  const x = right ? room.width / 2 - w - 0.25 : -room.width / 2 + 0.25
  const z = room.depth - 0.35
  const breast = tint(room.wall, 0.35)
  const opening = frontOf({ x: x + 0.26, y: 0.22, w: w - 0.52, h: 0.62, z })
  const middle = opening.x + opening.w / 2
  const foot = opening.y + opening.h
  const flame = (dx: number, h: number, color: string) =>
    path(
      `M${middle + dx - h * 0.3} ${foot - 8} Q${middle + dx - h * 0.34} ${foot - h * 0.5} ${middle + dx} ${foot - h} Q${middle + dx + h * 0.34} ${foot - h * 0.5} ${middle + dx + h * 0.3} ${foot - 8} Z`,
      color,
    )
  return (
    box(sketch, { x, y: 0, z, w, h: room.height, d: 0.35 }, breast) +
    box(sketch, { x: x - 0.08, y: 0.98, z: z - 0.1, w: w + 0.16, h: 0.07, d: 0.2 }, room.wood) +
    painting(sketch, { ...room, depth: z }, x + 0.3, 1.3, 0.65, 0.8) +
    rect(opening.x - 7, opening.y - 7, opening.w + 14, opening.h + 7, '#6d655e') +
    rect(opening.x, opening.y, opening.w, opening.h, vertical(sketch, '#1f1a1a', '#4a2a1e')) +
    glow(sketch, middle, foot - 20, opening.w * 1.5, '#ffb066', 0.7) +
    flame(-13, 40, '#e8743a') +
    flame(12, 46, '#ee8a3c') +
    flame(0, 34, '#ffcf70') +
    rect(middle - 34, foot - 10, 68, 9, '#5a3a28', 'rx="4"') +
    box(sketch, { x: x - 0.1, y: 0, z: z - 0.4, w: w + 0.2, h: 0.05, d: 0.4 }, '#8d857d')
  )
}

function sofa(sketch: Sketch, x: number, z: number, color: string, accent: string): string {
  const w = 2.15
  const cushion = (left: number, fill: string, size: number) => {
    const at = frontOf({ x: left, y: 0.5, w: size, h: size * 0.86, z: z + 0.42 })
    return rect(
      at.x,
      at.y,
      at.w,
      at.h,
      vertical(sketch, tint(fill, 0.2), shade(fill, 0.1)),
      `rx="${at.w * 0.16}"`,
    )
  }
  const seat = (left: number) =>
    box(sketch, { x: left, y: 0.26, z: z + 0.02, w: 0.86, h: 0.2, d: 0.6 }, tint(color, 0.1))
  return (
    floorShadow(sketch, x - 0.05, z - 0.05, w + 0.1, 0.9) +
    box(sketch, { x: x + 0.1, y: 0.12, z: z + 0.66, w: w - 0.2, h: 0.72, d: 0.24 }, shade(color, 0.06)) +
    box(sketch, { x: x + 0.1, y: 0.1, z, w: w - 0.2, h: 0.18, d: 0.8 }, shade(color, 0.16)) +
    // The one nearer the middle hides the other's side.
    (x + w / 2 > 0 ? seat(x + 1.08) + seat(x + 0.21) : seat(x + 0.21) + seat(x + 1.08)) +
    cushion(x + 0.26, accent, 0.46) +
    cushion(x + 0.56, tint(color, 0.45), 0.4) +
    cushion(x + 1.5, accent, 0.42) +
    box(sketch, { x, y: 0.08, z: z - 0.02, w: 0.22, h: 0.54, d: 0.88 }, color) +
    box(sketch, { x: x + w - 0.22, y: 0.08, z: z - 0.02, w: 0.22, h: 0.54, d: 0.88 }, color)
  )
}

function armchair(sketch: Sketch, x: number, z: number, color: string): string {
  const leg = (at: number, depth: number) =>
    box(sketch, { x: at, y: 0, z: depth, w: 0.05, h: 0.2, d: 0.05 }, '#6a4c34')
  return (
    floorShadow(sketch, x - 0.05, z, 0.85, 0.7) +
    leg(x + 0.04, z + 0.62) +
    leg(x + 0.68, z + 0.62) +
    leg(x + 0.04, z + 0.02) +
    leg(x + 0.68, z + 0.02) +
    box(sketch, { x: x + 0.04, y: 0.3, z: z + 0.56, w: 0.68, h: 0.56, d: 0.16 }, shade(color, 0.05)) +
    box(sketch, { x, y: 0.2, z, w: 0.76, h: 0.2, d: 0.7 }, color) +
    box(sketch, { x, y: 0.4, z, w: 0.12, h: 0.18, d: 0.66 }, shade(color, 0.08)) +
    box(sketch, { x: x + 0.64, y: 0.4, z, w: 0.12, h: 0.18, d: 0.66 }, shade(color, 0.08))
  )
}

function coffeeTable(sketch: Sketch, room: Room, x: number, z: number): string {
  const [bookX, bookY] = project([x + 0.3, 0.42, z + 0.25])
  const [vaseX, vaseY] = project([x + 0.85, 0.42, z + 0.3])
  return (
    floorShadow(sketch, x, z, 1.15, 0.6) +
    repeat(2, (index) =>
      box(sketch, { x: x + 0.06 + index * 0.95, y: 0, z: z + 0.45, w: 0.06, h: 0.38, d: 0.06 }, '#4a4038'),
    ) +
    repeat(2, (index) =>
      box(sketch, { x: x + 0.06 + index * 0.95, y: 0, z: z + 0.04, w: 0.06, h: 0.38, d: 0.06 }, '#4a4038'),
    ) +
    box(sketch, { x, y: 0.37, z, w: 1.15, h: 0.05, d: 0.6 }, shade(room.wood, 0.12)) +
    polygon(
      [bookX - 42, bookY, bookX + 30, bookY, bookX + 38, bookY - 15, bookX - 32, bookY - 15],
      room.accent,
    ) +
    polygon(
      [bookX - 34, bookY - 5, bookX + 24, bookY - 5, bookX + 31, bookY - 19, bookX - 26, bookY - 19],
      '#f2ead9',
    ) +
    rect(vaseX - 9, vaseY - 34, 18, 34, vertical(sketch, '#f4efe6', '#cfc4b2'), 'rx="7"') +
    repeat(
      4,
      (index) =>
        path(
          `M${vaseX} ${vaseY - 32} q${(index - 1.5) * 9} -26 ${(index - 1.5) * 19} -44`,
          'none',
          'stroke="#5d7f52" stroke-width="2.4"',
        ) +
        ellipse(
          vaseX + (index - 1.5) * 19,
          vaseY - 78,
          7,
          9,
          ['#e8b7a4', '#f0d58b', '#f4efe6', '#d99a90'][index] as string,
        ),
    )
  )
}

function sideboard(sketch: Sketch, room: Room, right: boolean): string {
  const half = room.width / 2
  const x = right ? half - 1.75 : -half + 0.15
  const z = room.depth - 0.45
  const books = repeat(8, (index) => {
    const at = frontOf({
      x: x + 0.15 + index * 0.065,
      y: 0.62,
      w: 0.058,
      h: 0.2 + (index % 3) * 0.045,
      z: z + 0.1,
    })
    return rect(
      at.x,
      at.y,
      at.w,
      at.h,
      indoor(sketch, [accents[index % accents.length] as string, '#e9e0cf', '#3f4a57'][index % 3] as string),
    )
  })
  const doors = repeat(3, (index) => {
    const at = frontOf({ x: x + 0.04 + index * 0.51, y: 0.16, w: 0.48, h: 0.4, z })
    return (
      rect(at.x, at.y, at.w, at.h, tint(room.wood, 0.1)) + rect(at.x + at.w - 10, at.y + 12, 3, 14, '#4a3d30')
    )
  })
  return (
    floorShadow(sketch, x, z, 1.6, 0.4) +
    box(sketch, { x, y: 0.1, z, w: 1.58, h: 0.52, d: 0.4 }, shade(room.wood, 0.06)) +
    doors +
    books
  )
}

function floorLamp(sketch: Sketch, room: Room, x: number, z: number): string {
  const [cx, foot] = project([x, 0, z])
  const [, top] = project([x, 1.5, z])
  const on = sketch.light.lit > 0.3
  return (
    ellipse(cx, foot, 22, 6, '#3b3a3a') +
    rect(cx - 2, top, 4, foot - top, '#3b3a3a') +
    (on ? glow(sketch, cx, top, 230, '#ffdf9c', 0.8) : '') +
    polygon(
      [cx - 22, top - 34, cx + 22, top - 34, cx + 36, top + 20, cx - 36, top + 20],
      on ? '#ffeec4' : tint(room.wall, 0.5),
    ) +
    polygon(
      [cx + 8, top - 34, cx + 22, top - 34, cx + 36, top + 20, cx + 14, top + 20],
      shade('#e8dcc4', 0.1),
      opacity(0.4),
    )
  )
}

function plantAt(sketch: Sketch, x: number, z: number, size: number): string {
  const [cx, cy] = project([x, 0, z])
  return potPlant(
    sketch,
    cx,
    cy,
    (size * 800) / z,
    indoor(sketch, sketch.random.pick(['#c47a55', '#e4ddd0', '#56616b'])),
  )
}

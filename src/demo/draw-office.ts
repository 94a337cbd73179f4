/**
 * Offices: desks with screens before a wall of glass.
 */
import { painting, seat } from './draw-decor.ts'
import { finish } from './draw-ground.ts'
import { backWindow, sunPatch } from './draw-outlook.ts'
import { flipped } from './draw-parts.ts'
import { box, floorShadow, frontOf, project, side, upright } from './draw-perspective.ts'
import { potPlant } from './draw-plants.ts'
import { accents, indoor, newRoom, type Room, shell } from './draw-room.ts'
import { glow, line, opacity, rect, repeat, vertical } from './draw-shapes.ts'
import { mix, type Sketch, tint } from './draw-sketch.ts'

/** Desks with screens before a wall of glass. */
export function office(sketch: Sketch): string {
  const { random } = sketch
  const room = newRoom(sketch, {
    width: random.between(6.6, 7.4),
    depth: random.between(6.4, 7),
    height: 2.9,
  })
  const half = room.width / 2
  const chair = indoor(sketch, random.pick(['#3a424c', '#4f6a70', '#6b6f76']))
  const [plantX, plantY] = project([half - 0.5, 0, room.depth - 0.9])
  const desks = [
    [-2.6, 4.9],
    [0.3, 4.9],
    [-2.5, 3.3],
    [0.2, 3.3],
  ] as const
  return (
    flipped(
      shell(sketch, room, random.chance(0.5) ? 'wood' : 'concrete', room.wall) +
        backWindow(
          sketch,
          room,
          { x: -half + 0.4, y: 0.35, w: room.width - 2.1, h: 2.25, panes: 5, frame: '#42484f' },
          random.pick(['city', 'city', 'city', 'garden']),
        ) +
        sunPatch(sketch, room, -1.8, 2.4, random.between(-0.8, 0.9)) +
        accentWall(sketch, room) +
        shelf(sketch, room) +
        tubes(sketch, room) +
        potPlant(sketch, plantX, plantY, 165, '#e4ddd0') +
        desks.map(([x, z]) => workplace(sketch, room, x, z, chair)).join(''),
      random.chance(0.5),
    ) + finish(sketch)
  )
}

function accentWall(sketch: Sketch, room: Room): string {
  const half = room.width / 2
  return (
    upright(
      [half - 1.5, half],
      [0.09, room.height],
      room.depth - 0.002,
      vertical(sketch, tint(room.accent, 0.16), room.accent),
    ) + painting(sketch, room, half - 1.16, 1.15, 0.8, 1)
  )
}

function shelf(sketch: Sketch, room: Room): string {
  const x = -room.width / 2 + 0.02
  const z = room.depth - 2.6
  const rack = repeat(3, (row) =>
    box(sketch, { x, y: 0.75 + row * 0.55, z, w: 0.34, h: 0.04, d: 2.2 }, room.wood),
  )
  const files = repeat(3, (row) =>
    repeat(9, (index) => {
      const h = 0.22 + ((index * 7 + row * 3) % 4) * 0.05
      const from = z + 2.0 - index * 0.2
      const color = indoor(
        sketch,
        [accents[(index + row) % accents.length] as string, '#ece4d6', '#48525e'][
          (index + row) % 3
        ] as string,
      )
      return side(x + 0.3, [0.79 + row * 0.55, 0.79 + h + row * 0.55], [from, from + 0.12], color)
    }),
  )
  return rack + files
}

function tubes(sketch: Sketch, room: Room): string {
  return repeat(4, (index) => {
    const x = index % 2 === 0 ? -1.9 : 0.9
    const z = index < 2 ? 5.2 : 3.6
    const y = room.height - 0.55
    const [from, at] = project([x, y, z])
    const [to] = project([x + 1.3, y, z])
    const [, top] = project([x, room.height, z])
    return (
      line(from + 20, top, from + 20, at, '#3a3a3c', 1.6) +
      line(to - 20, top, to - 20, at, '#3a3a3c', 1.6) +
      glow(sketch, (from + to) / 2, at, (to - from) * 0.8, '#fff3cf', sketch.light.lit > 0.3 ? 0.6 : 0.3) +
      rect(from, at, to - from, 9, '#3c4148') +
      rect(from + 2, at + 7, to - from - 4, 4, '#fffbea')
    )
  })
}

function workplace(sketch: Sketch, room: Room, x: number, z: number, chair: string): string {
  const screen = (left: number) => {
    const at = frontOf({ x: left, y: 0.86, w: 0.58, h: 0.36, z: z + 0.42 })
    return (
      rect(at.x + at.w * 0.44, at.y + at.h, at.w * 0.12, at.h * 0.34, '#6f767c') +
      rect(at.x + at.w * 0.28, at.y + at.h * 1.28, at.w * 0.44, at.h * 0.08, '#6f767c') +
      rect(at.x, at.y, at.w, at.h, '#2b3037', 'rx="4"') +
      rect(
        at.x + 4,
        at.y + 4,
        at.w - 8,
        at.h - 8,
        vertical(sketch, mix('#dff0f5', room.accent, 0.2), mix('#9fc3d2', room.accent, 0.35)),
      ) +
      repeat(3, (row) =>
        rect(
          at.x + 12,
          at.y + 14 + row * at.h * 0.22,
          at.w * (0.3 + ((row * 5) % 3) * 0.12),
          4,
          '#ffffff',
          opacity(0.75),
        ),
      )
    )
  }
  const top = indoor(sketch, tint(room.wood, 0.2))
  return (
    floorShadow(sketch, x, z, 2, 0.7) +
    repeat(2, (index) =>
      box(sketch, { x: x + 0.05 + index * 1.85, y: 0, z: z + 0.05, w: 0.06, h: 0.72, d: 0.62 }, '#555c63'),
    ) +
    box(sketch, { x, y: 0.72, z, w: 2, h: 0.05, d: 0.74 }, top) +
    screen(x + 0.16) +
    (sketch.random.chance(0.7) ? screen(x + 0.78) : '') +
    mug(sketch, x + 1.6, z + 0.3, room.accent) +
    seat(sketch, x + 0.62, z - 0.42, chair)
  )
}

function mug(sketch: Sketch, x: number, z: number, color: string): string {
  const at = frontOf({ x, y: 0.77, w: 0.09, h: 0.11, z })
  return rect(at.x, at.y, at.w, at.h, vertical(sketch, tint(color, 0.3), color), 'rx="2"')
}

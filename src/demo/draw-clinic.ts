/**
 * Consulting rooms.
 */
import { painting, seat } from './draw-decor.ts'
import { finish } from './draw-ground.ts'
import { backWindow } from './draw-outlook.ts'
import { flipped } from './draw-parts.ts'
import { box, flat, floorShadow, frontOf, project, upright } from './draw-perspective.ts'
import { potPlant } from './draw-plants.ts'
import { indoor, newRoom, type Room, shell } from './draw-room.ts'
import { line, opacity, path, polygon, rect, repeat, vertical } from './draw-shapes.ts'
import { mix, shade, type Sketch, tint } from './draw-sketch.ts'

/** A doctor's desk, an examination couch, cabinets and a blind. */
export function clinic(sketch: Sketch): string {
  const { random } = sketch
  const room = newRoom(sketch, {
    width: random.between(5, 5.6),
    depth: random.between(5.2, 5.7),
    wall: indoor(sketch, random.pick(['#eaf1f0', '#eef0ec', '#e6eef3', '#f1eee8'])),
    accent: indoor(sketch, random.pick(['#4fa3a0', '#5b8fb9', '#7fae8a', '#6f7fb5', '#d58f7c'])),
  })
  const half = room.width / 2
  const [plantX, plantY] = project([-half + 0.4, 0, room.depth - 0.5])
  return (
    flipped(
      shell(
        sketch,
        room,
        random.chance(0.5) ? 'tile' : 'wood',
        random.chance(0.6) ? tint(room.accent, 0.62) : room.wall,
      ) +
        backWindow(
          sketch,
          room,
          { x: -0.6, y: 0.95, w: 1.5, h: 1.2, panes: 2, frame: '#f4f2ee' },
          random.pick(['city', 'garden']),
        ) +
        blind(room) +
        painting(sketch, room, -half + 0.65, 1.3, 0.58, 0.75) +
        cabinet(sketch, room) +
        potPlant(sketch, plantX, plantY, 150, '#e4ddd0') +
        couch(sketch, room, half - 1.25, 2.95) +
        consultation(sketch, room, -1.8, 3.75),
      random.chance(0.5),
    ) + finish(sketch)
  )
}

function blind(room: Room): string {
  const at = frontOf({ x: -0.6, y: 1.62, w: 1.5, h: 0.53, z: room.depth })
  return (
    repeat(Math.floor(at.h / 8), (index) =>
      rect(at.x, at.y + index * 8, at.w, 5.5, '#f7f4ee', opacity(0.92)),
    ) + rect(at.x - 4, at.y - 6, at.w + 8, 8, '#e3dfd6')
  )
}

function cabinet(sketch: Sketch, room: Room): string {
  const x = room.width / 2 - 1.35
  const z = room.depth - 0.42
  const white = indoor(sketch, '#f5f5f2')
  const shelves = repeat(3, (row) => {
    const at = frontOf({ x: x + 0.06, y: 0.98 + row * 0.36, w: 1.08, h: 0.3, z })
    return (
      rect(at.x, at.y, at.w, at.h, vertical(sketch, '#dbe9ea', '#c3d6d9')) +
      repeat(7, (index) => {
        const h = at.h * (0.42 + ((index * 3 + row) % 4) * 0.12)
        return rect(
          at.x + 8 + index * (at.w / 7.4),
          at.y + at.h - h,
          at.w / 11,
          h,
          [room.accent, '#f6f3ec', '#d9a86c', '#8aa0ae'][(index + row) % 4] as string,
          'rx="2"',
        )
      }) +
      polygon(
        [
          at.x + at.w * 0.1,
          at.y,
          at.x + at.w * 0.26,
          at.y,
          at.x + at.w * 0.12,
          at.y + at.h,
          at.x,
          at.y + at.h,
        ],
        '#ffffff',
        opacity(0.35),
      )
    )
  })
  const doors = repeat(2, (index) => {
    const at = frontOf({ x: x + 0.06 + index * 0.55, y: 0.12, w: 0.53, h: 0.78, z })
    return (
      rect(at.x, at.y, at.w, at.h, tint(room.accent, 0.2)) +
      rect(at.x + (index === 0 ? at.w - 10 : 6), at.y + 20, 4, 22, '#f5f5f2')
    )
  })
  return (
    floorShadow(sketch, x, z, 1.2, 0.4) +
    box(sketch, { x, y: 0.04, z, w: 1.2, h: 2.06, d: 0.4 }, white) +
    shelves +
    doors
  )
}

function couch(sketch: Sketch, room: Room, x: number, z: number): string {
  const cover = room.accent
  const head = frontOf({ x, y: 0.74, w: 0.72, h: 0.4, z: z + 1.75 })
  return (
    floorShadow(sketch, x, z, 0.75, 1.8) +
    repeat(
      2,
      (index) =>
        box(sketch, { x: x + 0.04, y: 0, z: z + 1.6 - index * 1.5, w: 0.06, h: 0.6, d: 0.06 }, '#a7aeb2') +
        box(sketch, { x: x + 0.62, y: 0, z: z + 1.6 - index * 1.5, w: 0.06, h: 0.6, d: 0.06 }, '#a7aeb2'),
    ) +
    box(sketch, { x: x + 0.04, y: 0.22, z: z + 0.1, w: 0.64, h: 0.04, d: 1.6 }, '#c3c9cc') +
    rect(head.x, head.y, head.w, head.h, vertical(sketch, tint(cover, 0.1), cover), 'rx="10"') +
    box(sketch, { x, y: 0.6, z, w: 0.72, h: 0.14, d: 1.8 }, cover) +
    flat([x + 0.1, x + 0.62], 0.745, [z - 0.002, z + 1.8], '#fbfaf6') +
    upright([x + 0.1, x + 0.62], [0.52, 0.745], z - 0.003, '#f1efe9')
  )
}

function consultation(sketch: Sketch, room: Room, x: number, z: number): string {
  const wood = tint(room.wood, 0.1)
  const screen = frontOf({ x: x + 0.2, y: 0.87, w: 0.6, h: 0.38, z: z + 0.45 })
  const lamp = project([x + 1.25, 0.78, z + 0.4])
  return (
    seat(sketch, x + 0.5, z + 0.95, indoor(sketch, '#48535e')) +
    floorShadow(sketch, x, z, 1.6, 0.7) +
    box(sketch, { x: x + 0.05, y: 0, z: z + 0.05, w: 0.42, h: 0.74, d: 0.6 }, '#f1f0ec') +
    repeat(3, (row) => {
      const at = frontOf({ x: x + 0.08, y: 0.06 + row * 0.23, w: 0.36, h: 0.2, z: z + 0.05 })
      return (
        rect(at.x, at.y, at.w, at.h, '#fbfaf7') +
        rect(at.x + at.w * 0.35, at.y + 9, at.w * 0.3, 4, room.accent)
      )
    }) +
    box(sketch, { x: x + 1.52, y: 0, z: z + 0.05, w: 0.06, h: 0.74, d: 0.6 }, '#a7aeb2') +
    box(sketch, { x, y: 0.74, z, w: 1.62, h: 0.05, d: 0.74 }, wood) +
    rect(screen.x + screen.w * 0.44, screen.y + screen.h, screen.w * 0.12, screen.h * 0.3, '#8d949a') +
    rect(screen.x, screen.y, screen.w, screen.h, '#2b3037', 'rx="4"') +
    rect(
      screen.x + 4,
      screen.y + 4,
      screen.w - 8,
      screen.h - 8,
      vertical(sketch, '#dff0f2', mix('#a9cfd6', room.accent, 0.3)),
    ) +
    path(
      `M${screen.x + 14} ${screen.y + screen.h * 0.55} h${screen.w * 0.2} l8 -18 l10 32 l9 -22 l6 8 h${screen.w * 0.24}`,
      'none',
      `stroke="${shade(room.accent, 0.2)}" stroke-width="3" stroke-linejoin="round"`,
    ) +
    polygon(
      [
        lamp[0] - 44,
        lamp[1] + 4,
        lamp[0] + 18,
        lamp[1] + 4,
        lamp[0] + 26,
        lamp[1] - 9,
        lamp[0] - 34,
        lamp[1] - 9,
      ],
      '#fbfaf6',
    ) +
    repeat(3, (row) =>
      line(
        lamp[0] - 28 + row * 2,
        lamp[1] + row * -4,
        lamp[0] + 10 + row * 2,
        lamp[1] + row * -4,
        '#a9b0b5',
        1.4,
      ),
    ) +
    seat(sketch, x + 0.16, z - 0.55, room.accent) +
    seat(sketch, x + 0.96, z - 0.5, room.accent)
  )
}

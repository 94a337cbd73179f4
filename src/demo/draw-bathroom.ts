/**
 * Bathrooms: a vanity under a mirror, a shower or a tub.
 */
import { finish } from './draw-ground.ts'
import { backWindow } from './draw-outlook.ts'
import { flipped } from './draw-parts.ts'
import { box, face, flat, floorShadow, frontOf, project, upright } from './draw-perspective.ts'
import { potPlant } from './draw-plants.ts'
import { indoor, newRoom, type Room, shell } from './draw-room.ts'
import {
  clip,
  ellipse,
  glow,
  group,
  line,
  opacity,
  path,
  polygon,
  rect,
  repeat,
  strokeOpacity,
  vertical,
} from './draw-shapes.ts'
import { mix, shade, type Sketch, tint } from './draw-sketch.ts'

/** A vanity under a mirror, a shower behind glass or a bathtub, tiles and a plant. */
export function bathroom(sketch: Sketch): string {
  const { random } = sketch
  const room = newRoom(sketch, {
    width: random.between(3.7, 4.2),
    depth: random.between(4.3, 4.8),
    height: 2.6,
  })
  const tile = indoor(
    sketch,
    random.pick(['#dfe6e4', '#e8e0d4', '#c7d6d8', '#d9cfc6', '#8fa9a6', '#eceae6', '#b7c4b8']),
  )
  const half = room.width / 2
  const [plantX, plantY] = project([-half + 0.36, 0, room.depth - 0.7])
  return (
    flipped(
      shell(sketch, { ...room, wall: mix(room.wall, tile, 0.4) }, 'tile', tile) +
        wallTiles(room, tile) +
        (random.chance(0.6) ? shower(sketch, room) : tub(sketch, room)) +
        vanity(sketch, room, -half + 0.75, random.between(1.25, 1.5)) +
        potPlant(sketch, plantX, plantY, random.between(130, 165), '#d9cdbb') +
        towel(sketch, room),
      random.chance(0.5),
    ) + finish(sketch)
  )
}

function wallTiles(room: Room, tile: string): string {
  const at = frontOf({ x: -room.width / 2, y: 0, w: room.width, h: room.height, z: room.depth })
  const size = 0.3 * at.unit
  const seam = shade(tile, 0.22)
  return (
    repeat(Math.floor(at.h / size) + 1, (row) =>
      line(
        at.x,
        at.y + at.h - row * size,
        at.x + at.w,
        at.y + at.h - row * size,
        seam,
        1.2,
        strokeOpacity(0.5),
      ),
    ) +
    repeat(Math.floor(at.w / (size * 2)) + 1, (column) =>
      line(
        at.x + column * size * 2,
        at.y,
        at.x + column * size * 2,
        at.y + at.h,
        seam,
        1.2,
        strokeOpacity(0.5),
      ),
    )
  )
}

function vanity(sketch: Sketch, room: Room, x: number, w: number): string {
  const { random } = sketch
  const z = room.depth - 0.52
  const on = sketch.light.lit > 0.3
  const mirror = frontOf({ x: x + 0.12, y: 1.22, w: w - 0.24, h: 0.92, z: room.depth })
  const round = random.chance(0.45)
  const r = mirror.h * 0.52
  const mx = mirror.x + mirror.w / 2
  const my = mirror.y + mirror.h / 2
  const silver = vertical(sketch, '#e6f0f3', '#b9cdd4', '#dbe7ea')
  const shape = (grow: number, fill: string) =>
    round
      ? ellipse(mx, my, r + grow, r + grow, fill)
      : rect(mirror.x - grow, mirror.y - grow, mirror.w + grow * 2, mirror.h + grow * 2, fill, 'rx="6"')
  const inside =
    polygon(
      [mx - r * 0.9, my + r, mx - r * 0.2, my - r, mx + r * 0.2, my - r, mx - r * 0.4, my + r],
      '#ffffff',
      opacity(0.4),
    ) +
    polygon(
      [mx + r * 0.1, my + r, mx + r * 0.6, my - r, mx + r * 0.72, my - r, mx + r * 0.25, my + r],
      '#ffffff',
      opacity(0.3),
    )
  const basin = frontOf({ x: x + w * 0.26, y: 0.86, w: w * 0.48, h: 0.15, z: z + 0.08 })
  const drawers = repeat(2, (index) => {
    const at = frontOf({ x: x + 0.03, y: 0.42 + index * 0.19, w: w - 0.06, h: 0.17, z })
    return (
      rect(at.x, at.y, at.w, at.h, tint(room.wood, 0.12)) +
      rect(at.x + at.w * 0.4, at.y + 6, at.w * 0.2, 3.5, '#4b3d30')
    )
  })
  return (
    glow(sketch, mx, my, mirror.h * 1.35, '#fff2cc', on ? 0.75 : 0.45) +
    shape(7, random.pick(['#3b3a3a', '#c9a877', '#f3efe6'])) +
    shape(0, silver) +
    group(inside, clip(sketch, shape(0, '#000'))) +
    floorShadow(sketch, x, z, w, 0.45) +
    box(sketch, { x, y: 0.4, z, w, h: 0.42, d: 0.5 }, shade(room.wood, 0.06)) +
    drawers +
    box(sketch, { x: x - 0.02, y: 0.82, z: z - 0.02, w: w + 0.04, h: 0.05, d: 0.54 }, '#f1eee8') +
    path(
      `M${basin.x} ${basin.y} L${basin.x + basin.w} ${basin.y} Q${basin.x + basin.w} ${basin.y + basin.h} ${basin.x + basin.w * 0.78} ${basin.y + basin.h} L${basin.x + basin.w * 0.22} ${basin.y + basin.h} Q${basin.x} ${basin.y + basin.h} ${basin.x} ${basin.y} Z`,
      vertical(sketch, '#ffffff', '#d8dcdd'),
    ) +
    path(
      `M${mx} ${basin.y - 2} V${basin.y - 26} H${mx + 18} V${basin.y - 16}`,
      'none',
      'stroke="#7f878c" stroke-width="5" stroke-linejoin="round"',
    ) +
    rect(basin.x + basin.w + 14, basin.y + basin.h - 24, 13, 24, room.accent, 'rx="3"') +
    rect(basin.x + basin.w + 18, basin.y + basin.h - 31, 5, 8, '#4b4b4d')
  )
}

function shower(sketch: Sketch, room: Room): string {
  const half = room.width / 2
  const x = half - 1.15
  const z = room.depth - 1.5
  const back = frontOf({ x, y: 0, w: 1.15, h: room.height, z: room.depth })
  const tone = mix(room.accent, '#e9e6df', 0.45)
  const mosaic = repeat(13, (row) =>
    repeat(6, (column) =>
      rect(
        back.x + (column * back.w) / 6 + 1,
        back.y + (row * back.h) / 13 + 1,
        back.w / 6 - 2,
        back.h / 13 - 2,
        [tone, tint(tone, 0.14), shade(tone, 0.08)][(row * 5 + column * 3) % 3] as string,
      ),
    ),
  )
  const [headX, headY] = project([half - 0.55, 2.1, room.depth - 0.3])
  const pane = (points: Parameters<typeof face>[0]) =>
    face(points, vertical(sketch, ['#eef7f8', 0.5], ['#c7dde0', 0.26], ['#eef7f8', 0.42]))
  return (
    rect(back.x, back.y, back.w, back.h, shade(tone, 0.25)) +
    mosaic +
    flat([x, half], 0.03, [z, room.depth], '#eceae5') +
    line(headX, headY - 46, headX, headY, '#7b8388', 6) +
    polygon(
      [headX - 36, headY + 7, headX + 36, headY + 7, headX + 24, headY - 2, headX - 24, headY - 2],
      '#8d959a',
    ) +
    repeat(7, (index) =>
      line(
        headX - 27 + index * 9,
        headY + 10,
        headX - 30 + index * 10,
        headY + 86,
        '#ffffff',
        1.4,
        strokeOpacity(0.4),
      ),
    ) +
    pane([
      [x, 0.03, z],
      [x, 0.03, room.depth],
      [x, 2.1, room.depth],
      [x, 2.1, z],
    ]) +
    upright([x, x + 0.03], [0.03, 2.1], z, '#6f777c') +
    pane([
      [x, 0.03, z],
      [x + 0.62, 0.03, z],
      [x + 0.62, 2.1, z],
      [x, 2.1, z],
    ])
  )
}

function tub(sketch: Sketch, room: Room): string {
  const half = room.width / 2
  const z = room.depth - 1.85
  const x = half - 1
  const water = flat(
    [x + 0.12, half - 0.12],
    0.5,
    [z + 0.14, room.depth - 0.15],
    vertical(sketch, '#bfe0e4', '#9cc9d0'),
  )
  const [tapX, tapY] = project([half - 0.5, 0.75, room.depth - 0.05])
  return (
    floorShadow(sketch, x, z, 1, 1.6) +
    box(sketch, { x, y: 0, z, w: 1, h: 0.56, d: 1.83 }, '#f4f2ee') +
    water +
    rect(tapX - 22, tapY, 44, 6, '#858d92', 'rx="3"') +
    rect(tapX - 3, tapY, 6, 22, '#858d92') +
    backWindowOver(sketch, room, x)
  )
}

function backWindowOver(sketch: Sketch, room: Room, x: number): string {
  return backWindow(
    sketch,
    room,
    { x: x + 0.12, y: 1.45, w: 0.72, h: 0.72, panes: 2, frame: '#f4f0e8' },
    'garden',
  )
}

function towel(sketch: Sketch, room: Room): string {
  const half = room.width / 2
  const bar = room.depth - 1.1
  const at = (y: number, z: number) => [-half + 0.03, y, z] as const
  return (
    face(
      [at(0.95, bar - 0.32), at(0.95, bar + 0.22), at(1.5, bar + 0.22), at(1.5, bar - 0.32)],
      vertical(sketch, tint(room.accent, 0.3), room.accent),
    ) +
    face(
      [at(1.06, bar - 0.32), at(1.06, bar + 0.22), at(1.1, bar + 0.22), at(1.1, bar - 0.32)],
      '#f4efe6',
      opacity(0.7),
    ) +
    face([at(1.5, bar - 0.4), at(1.5, bar + 0.3), at(1.525, bar + 0.3), at(1.525, bar - 0.4)], '#6f777c')
  )
}

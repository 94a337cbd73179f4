/**
 * Kitchens: cabinets along the back wall and an island.
 */
import { pendant } from './draw-decor.ts'
import { finish } from './draw-ground.ts'
import { backWindow } from './draw-outlook.ts'
import { flipped } from './draw-parts.ts'
import { box, floorShadow, frontOf, project } from './draw-perspective.ts'
import { potPlant } from './draw-plants.ts'
import { indoor, newRoom, type Room, shell } from './draw-room.ts'
import {
  ellipse,
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

/** Cabinets along the back wall, a window over the sink, and an island with stools. */
export function kitchen(sketch: Sketch): string {
  const { random } = sketch
  const room = newRoom(sketch, { width: random.between(5, 5.6), depth: random.between(4.9, 5.4) })
  const fronts = indoor(
    sketch,
    random.pick(['#f1ede5', '#4f6a6a', '#7f8f7a', '#39485c', '#d8c3a5', '#b98a63', '#8fa3ad']),
  )
  const top = indoor(sketch, random.pick(['#e9e6e0', '#4a4a4c', '#c9a77c', '#d9d4cc']))
  const z = room.depth - 0.62
  const left = -room.width / 2 + 0.1
  const fridge = random.pick(['#c9ced1', '#b4bbc0', '#5d656c'])
  const windowX = random.between(-0.75, -0.3)
  return (
    flipped(
      shell(sketch, room, random.chance(0.5) ? 'tile' : 'wood') +
        splash(sketch, room, left + 0.8) +
        backWindow(
          sketch,
          room,
          { x: windowX, y: 1.18, w: 1.2, h: 0.95, panes: 2, frame: '#f4f0e8' },
          random.pick(['garden', 'city', 'mountains']),
        ) +
        uppers(sketch, room, left + 0.8, windowX - 0.12 - (left + 0.8), fronts) +
        uppers(sketch, room, windowX + 2.5, room.width / 2 - 0.1 - (windowX + 2.5), fronts) +
        hood(sketch, room, windowX + 1.75) +
        box(sketch, { x: left, y: 0.04, z, w: 0.76, h: 2.02, d: 0.6 }, indoor(sketch, fridge)) +
        fridgeLines(left, z) +
        lowers(sketch, left + 0.78, room.width / 2 - 0.1, z, fronts, top, windowX + 1.55) +
        onTop(sketch, room, windowX, z) +
        island(sketch, room, fronts, top) +
        repeat(3, (index) => pendant(sketch, room, -0.85 + index * 0.85, 3.05, 0.78, 0.15, room.accent)),
      random.chance(0.5),
    ) + finish(sketch)
  )
}

function splash(sketch: Sketch, room: Room, x: number): string {
  const at = frontOf({ x, y: 0.9, w: room.width / 2 - 0.05 - x, h: 0.62, z: room.depth })
  const tile = sketch.random.pick(['#f4f1ea', room.accent, '#dfe5e3', tint(room.accent, 0.5)])
  const size = at.unit * 0.12
  const seams =
    repeat(Math.floor(at.h / (size * 0.5)), (row) =>
      line(
        at.x,
        at.y + row * size * 0.5,
        at.x + at.w,
        at.y + row * size * 0.5,
        shade(tile, 0.22),
        1,
        strokeOpacity(0.6),
      ),
    ) +
    repeat(Math.floor(at.h / (size * 0.5)), (row) =>
      repeat(Math.floor(at.w / size), (column) =>
        line(
          at.x + (column + (row % 2) * 0.5) * size,
          at.y + row * size * 0.5,
          at.x + (column + (row % 2) * 0.5) * size,
          at.y + (row + 1) * size * 0.5,
          shade(tile, 0.22),
          1,
          strokeOpacity(0.6),
        ),
      ),
    )
  return (
    rect(at.x, at.y, at.w, at.h, vertical(sketch, shade(tile, 0.06), tile)) +
    seams +
    rect(at.x, at.y, at.w, 6, '#fff3cf', opacity(0.5))
  )
}

function uppers(sketch: Sketch, room: Room, x: number, w: number, color: string): string {
  if (w < 0.3) return ''
  const count = Math.max(1, Math.round(w / 0.5))
  const z = room.depth - 0.36
  return (
    box(sketch, { x, y: 1.5, z, w, h: 0.72, d: 0.34 }, color) +
    repeat(count, (index) => {
      const at = frontOf({ x: x + (index * w) / count + 0.02, y: 1.53, w: w / count - 0.04, h: 0.66, z })
      return (
        rect(at.x, at.y, at.w, at.h, tint(color, 0.12)) +
        rect(at.x + at.w * 0.1, at.y + at.h - 9, at.w * 0.3, 3, '#b9a37c')
      )
    })
  )
}

function hood(sketch: Sketch, room: Room, x: number): string {
  const z = room.depth - 0.42
  const pipe = frontOf({ x: x + 0.1, y: 1.72, w: 0.3, h: 0.98, z })
  const cap = frontOf({ x: x - 0.1, y: 1.5, w: 0.7, h: 0.24, z })
  const steel = vertical(sketch, '#d9dde0', '#aab1b6')
  return (
    rect(pipe.x, pipe.y, pipe.w, pipe.h, steel) +
    polygon(
      [
        cap.x + cap.w * 0.25,
        cap.y,
        cap.x + cap.w * 0.75,
        cap.y,
        cap.x + cap.w,
        cap.y + cap.h,
        cap.x,
        cap.y + cap.h,
      ],
      steel,
    ) +
    rect(cap.x, cap.y + cap.h - 4, cap.w, 7, '#878f95')
  )
}

function fridgeLines(x: number, z: number): string {
  const seam = frontOf({ x, y: 0.72, w: 0.76, h: 0.02, z })
  const handle = (y: number, h: number) => {
    const at = frontOf({ x: x + 0.66, y, w: 0.03, h, z })
    return rect(at.x, at.y, at.w, at.h, '#7d858b')
  }
  return rect(seam.x, seam.y, seam.w, 2.5, '#5f686e', opacity(0.6)) + handle(0.45, 0.22) + handle(0.82, 0.5)
}

function lowers(
  sketch: Sketch,
  from: number,
  to: number,
  z: number,
  color: string,
  top: string,
  ovenX: number,
): string {
  const count = Math.round((to - from) / 0.6)
  const step = (to - from) / count
  const oven = Math.floor((ovenX - from) / step)
  const doors = repeat(count, (index) => {
    const at = frontOf({ x: from + index * step + 0.02, y: 0.12, w: step - 0.04, h: 0.72, z })
    if (index !== oven)
      return (
        rect(at.x, at.y, at.w, at.h, tint(color, 0.1)) +
        rect(at.x + at.w * 0.3, at.y + 9, at.w * 0.4, 4, '#b9a37c')
      )
    return (
      rect(at.x, at.y, at.w, at.h, '#c4c9cc') +
      rect(at.x + 5, at.y + at.h * 0.3, at.w - 10, at.h * 0.55, vertical(sketch, '#2c3138', '#4a4038')) +
      rect(at.x + 8, at.y + at.h * 0.22, at.w - 16, 4, '#8a9096') +
      repeat(4, (knob) => ellipse(at.x + 14 + knob * ((at.w - 28) / 3), at.y + at.h * 0.1, 4, 4, '#454b51'))
    )
  })
  return (
    floorShadow(sketch, from, z - 0.1, to - from, 0.3) +
    box(sketch, { x: from, y: 0, z: z + 0.08, w: to - from, h: 0.1, d: 0.5 }, '#3a3a3c') +
    box(sketch, { x: from, y: 0.1, z, w: to - from, h: 0.77, d: 0.6 }, shade(color, 0.1)) +
    doors +
    box(sketch, { x: from - 0.02, y: 0.87, z: z - 0.03, w: to - from + 0.04, h: 0.05, d: 0.63 }, top)
  )
}

function onTop(sketch: Sketch, room: Room, windowX: number, z: number): string {
  const [tapX, tapY] = project([windowX + 0.6, 0.93, z + 0.45])
  const [sinkX, sinkY] = project([windowX + 0.6, 0.925, z + 0.26])
  const [plantX, plantY] = project([windowX + 1.28, 0.92, z + 0.4])
  const [jarX, jarY] = project([windowX - 0.35, 0.92, z + 0.42])
  return (
    ellipse(sinkX, sinkY, 46, 6, '#6d757b') +
    path(
      `M${tapX} ${tapY} V${tapY - 38} Q${tapX} ${tapY - 52} ${tapX + 14} ${tapY - 52} Q${tapX + 24} ${tapY - 52} ${tapX + 24} ${tapY - 38}`,
      'none',
      'stroke="#8f979d" stroke-width="5" stroke-linecap="round"',
    ) +
    potPlant(sketch, plantX, plantY, 46, '#e4ddd0') +
    repeat(
      3,
      (index) =>
        rect(
          jarX + index * 19,
          jarY - 22 - index * 5,
          15,
          22 + index * 5,
          [room.accent, '#e9dfcb', '#b98a63'][index] as string,
          'rx="3"',
        ) + rect(jarX + 1 + index * 19, jarY - 26 - index * 5, 13, 5, '#8a6a48'),
    )
  )
}

function island(sketch: Sketch, room: Room, color: string, top: string): string {
  const z = 3.28
  const cushion = sketch.random.chance(0.5) ? room.accent : room.wood
  const [bowlX, bowlY] = project([0.35, 0.97, z + 0.35])
  const fruit = ['#d9863f', '#c9483f', '#e0b445']
  const stool = (x: number) =>
    floorShadow(sketch, x, z - 0.42, 0.36, 0.3) +
    repeat(2, (leg) =>
      box(sketch, { x: x + 0.04 + leg * 0.25, y: 0, z: z - 0.38, w: 0.035, h: 0.64, d: 0.04 }, '#5b4534'),
    ) +
    box(sketch, { x: x + 0.04, y: 0.24, z: z - 0.38, w: 0.28, h: 0.03, d: 0.03 }, '#5b4534') +
    box(sketch, { x, y: 0.64, z: z - 0.42, w: 0.36, h: 0.06, d: 0.34 }, cushion)
  return (
    floorShadow(sketch, -1.35, z, 2.7, 0.8) +
    box(sketch, { x: -1.2, y: 0, z: z + 0.1, w: 2.4, h: 0.9, d: 0.7 }, mix(color, room.wood, 0.85)) +
    repeat(12, (index) => {
      const at = frontOf({ x: -1.2 + index * 0.2, y: 0.02, w: 0.01, h: 0.86, z: z + 0.1 })
      return rect(at.x, at.y, at.w, at.h, shade(room.wood, 0.4), opacity(0.4))
    }) +
    box(sketch, { x: -1.38, y: 0.9, z: z - 0.12, w: 2.76, h: 0.07, d: 1 }, top) +
    fruit
      .map((tone, index) =>
        ellipse(bowlX - 24 + index * 24, bowlY - 30, 17, 17, vertical(sketch, tint(tone, 0.3), tone)),
      )
      .join('') +
    path(
      `M${bowlX - 56} ${bowlY - 26} Q${bowlX - 44} ${bowlY + 8} ${bowlX} ${bowlY + 8} Q${bowlX + 44} ${bowlY + 8} ${bowlX + 56} ${bowlY - 26} Z`,
      vertical(sketch, '#f6f2ea', '#cfc6b6'),
    ) +
    repeat(3, (index) => stool(-1 + index * 0.82))
  )
}

/**
 * Buildings of the French school: stone, tall windows, iron balconies and a mansard of slate.
 */
import { finish, skyline, street } from './draw-ground.ts'
import { car, railing, streetLamp } from './draw-parts.ts'
import {
  ellipse,
  glow,
  horizontal,
  line,
  opacity,
  path,
  polygon,
  rect,
  repeat,
  strokeOpacity,
  vertical,
} from './draw-shapes.ts'
import { canvas, shade, type Sketch, tint, tone } from './draw-sketch.ts'
import { sky } from './draw-sky.ts'
import { carColors, ground, neighbour } from './draw-tower.ts'
import { cityTrees, tree } from './draw-trees.ts'
import { window } from './draw-windows.ts'

/** A stone façade with tall windows, iron balconies and a mansard of slate. */
export function heritage(sketch: Sketch): string {
  const { random } = sketch
  const stone = tone(sketch, random.pick(['#e6dccb', '#ddd2c2', '#e9e1d6', '#d9cdb9']))
  const iron = tone(sketch, '#33383f')
  const floors = random.whole(2, 3)
  const bays = floors === 3 ? 7 : random.pick([5, 7])
  const x = 170
  const w = 860
  const bay = w / bays
  const baseHeight = 140
  const roofTop = floors === 3 ? 84 : 130
  const roofHeight = 108
  const eaves = roofTop + roofHeight
  const step = (ground - baseHeight - eaves) / floors
  const storeys = repeat(floors, (floor) => {
    const y = eaves + floor * step
    const tall = step * 0.64
    const gallery = floor === floors - 1
    return (
      rect(x - 8, y + step - 8, w + 16, 10, tint(stone, 0.3)) +
      rect(x, y + step + 2, w, 7, '#141a33', opacity(0.16)) +
      repeat(bays, (index) => {
        const wide = bay * (bays === 7 ? 0.4 : 0.36)
        const left = x + index * bay + (bay - wide) / 2
        const at = y + step * 0.25
        return (
          rect(left - 11, at - 12, wide + 22, tall + 12, tint(stone, 0.26)) +
          (floor % 2 === 0
            ? path(
                `M${left - 16} ${at - 12} Q${left + wide / 2} ${at - 36} ${left + wide + 16} ${at - 12} Z`,
                tint(stone, 0.34),
              )
            : rect(left - 16, at - 20, wide + 32, 8, tint(stone, 0.34))) +
          window(sketch, left, at, wide, tall, { panes: 2, rows: 3, frame: '#efe8db', sill: false }) +
          (gallery
            ? ''
            : railing(left - 14, at + tall - 32, wide + 28, 32, iron, 6) +
              rect(left - 18, at + tall, wide + 36, 7, tint(stone, 0.2)))
        )
      }) +
      (gallery ? railing(x + bay * 0.14, y + step - 42, w - bay * 0.28, 36, iron, 7) : '')
    )
  })
  return (
    sky(sketch, ground) +
    skyline(sketch, ground, 300, 0.6) +
    neighbour(sketch, -30, x + 10, random.between(300, 440)) +
    neighbour(sketch, x + w - 10, canvas.width + 30, random.between(300, 440)) +
    rect(x, eaves, w, ground - eaves, horizontal(sketch, tint(stone, 0.16), stone, shade(stone, 0.1))) +
    repeat(
      bays + 1,
      (index) =>
        rect(x + index * bay - 9, eaves, 18, ground - baseHeight - eaves, tint(stone, 0.14)) +
        rect(x + index * bay + 9, eaves, 5, ground - baseHeight - eaves, '#141a33', opacity(0.08)),
    ) +
    storeys +
    mansard(sketch, x, w, bays, roofTop, roofHeight, stone) +
    groundFloor(sketch, x, w, bays, baseHeight, stone, iron) +
    street(sketch, ground) +
    tree(sketch, random.pick(cityTrees), random.between(70, 150), ground + 30, 300) +
    tree(sketch, random.pick(cityTrees), random.between(1050, 1130), ground + 30, 300) +
    streetLamp(sketch, random.between(300, 420), ground + 42, 170) +
    (random.chance(0.6) ? car(sketch, random.between(420, 860), 778, 240, random.pick(carColors)) : '') +
    finish(sketch)
  )
}

function mansard(
  sketch: Sketch,
  x: number,
  w: number,
  bays: number,
  top: number,
  h: number,
  stone: string,
): string {
  const slate = tone(sketch, sketch.random.pick(['#59626f', '#4f5c66', '#66616c']))
  const bay = w / bays
  const bottom = top + h
  const rows = repeat(7, (row) =>
    line(
      x + 4 + row * 4,
      bottom - 10 - row * 14,
      x + w - 4 - row * 4,
      bottom - 10 - row * 14,
      shade(slate, 0.3),
      1.6,
      strokeOpacity(0.6),
    ),
  )
  const dormer = (index: number) => {
    const cx = x + index * bay + bay / 2
    return (
      rect(cx - 27, top + 34, 54, h - 42, tint(stone, 0.18)) +
      path(`M${cx - 32} ${top + 36} Q${cx} ${top - 2} ${cx + 32} ${top + 36} Z`, tint(stone, 0.3)) +
      window(sketch, cx - 16, top + 42, 32, h - 56, { panes: 2, rows: 2, frame: '#efe8db', sill: false })
    )
  }
  return (
    polygon(
      [x - 4, bottom, x + 32, top, x + w - 32, top, x + w + 4, bottom],
      vertical(sketch, tint(slate, 0.2), slate, shade(slate, 0.12)),
    ) +
    rows +
    rect(x + 26, top - 8, w - 52, 10, shade(slate, 0.25)) +
    rect(x + w * 0.2, top - 44, 40, 40, shade(stone, 0.1)) +
    rect(x + w * 0.76, top - 44, 40, 40, shade(stone, 0.1)) +
    repeat(bays, dormer) +
    rect(x - 16, bottom - 8, w + 32, 13, tint(stone, 0.34)) +
    repeat(Math.floor(w / 17), (index) => rect(x + 3 + index * 17, bottom + 5, 8, 8, tint(stone, 0.2))) +
    rect(x, bottom + 13, w, 9, '#141a33', opacity(0.16))
  )
}

function groundFloor(
  sketch: Sketch,
  x: number,
  w: number,
  bays: number,
  h: number,
  stone: string,
  iron: string,
): string {
  const y = ground - h
  const bay = w / bays
  const middle = (bays - 1) / 2
  const courses = repeat(Math.floor(h / 22), (row) =>
    line(x, y + 10 + row * 22, x + w, y + 10 + row * 22, shade(stone, 0.3), 2, strokeOpacity(0.6)),
  )
  const arches = repeat(bays, (index) => {
    const cx = x + index * bay + bay / 2
    const r = bay * 0.3
    const springs = y + 24 + r * 0.8
    const arch = (grow: number) =>
      `M${cx - r - grow} ${ground} V${springs} A${r + grow} ${r * 0.8 + grow} 0 0 1 ${cx + r + grow} ${springs} V${ground} Z`
    const isDoor = index === middle
    const lit = sketch.random.chance(sketch.light.lit)
    const wood = tone(sketch, '#6a4630')
    return (
      path(arch(11), tint(stone, 0.22)) +
      path(
        arch(0),
        isDoor
          ? vertical(sketch, shade(wood, 0.25), wood)
          : lit
            ? vertical(sketch, '#ffe9b8', '#e9b86e')
            : vertical(sketch, tone(sketch, '#7f9aab'), tone(sketch, '#43566a')),
      ) +
      rect(cx - r, springs - 4, r * 2, 7, iron) +
      rect(cx - 2.5, isDoor ? springs : y + 26, 5, ground - springs + (isDoor ? 0 : r * 0.8), iron) +
      (isDoor
        ? repeat(2, (leaf) => rect(cx - r + 10 + leaf * r, springs + 16, r - 20, 34, tint(wood, 0.12))) +
          ellipse(cx + 9, springs + 66, 4, 4, '#e3c27c')
        : rect(cx - r, ground - 26, r * 2, 26, iron, opacity(0.75)))
    )
  })
  return (
    rect(x - 6, y, w + 12, h, vertical(sketch, stone, shade(stone, 0.16))) +
    courses +
    arches +
    rect(x - 10, y - 6, w + 20, 12, tint(stone, 0.34)) +
    (sketch.light.lit > 0.3 ? glow(sketch, x + w / 2, y + 60, 190, '#ffdf9c', 0.55) : '')
  )
}

/**
 * Shop fronts with an awning, display windows and flats above.
 */
import { finish, skyline, street } from './draw-ground.ts'
import { cladding, flipped, streetLamp } from './draw-parts.ts'
import { potPlant } from './draw-plants.ts'
import {
  ellipse,
  glow,
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
import { cityTrees, tree } from './draw-trees.ts'
import { door, glass, window } from './draw-windows.ts'

const ground = 668

/** A shop front with an awning, display windows and a flat above. */
export function shop(sketch: Sketch): string {
  const { random } = sketch
  const wallColor = random.pick(['#e9dfd0', '#c98f6d', '#dfe3e1', '#b9a48f', '#efd9c6'])
  const wall = tone(sketch, wallColor)
  const trim = random.pick(['#2f4a52', '#7a3b35', '#3d5a45', '#2f3c5c', '#5c4a3d', '#c2703f'])
  const painted = tone(sketch, trim)
  const x = 190
  const w = 820
  const top = 150
  const front = 350
  const upper = repeat(4, (index) =>
    window(sketch, x + 62 + index * ((w - 124 - 96) / 3), top + 50, 96, 112, {
      panes: 2,
      rows: 2,
      shutters: random.chance(0.5) ? trim : undefined,
    }),
  )
  const displays = (left: number, wide: number) =>
    rect(left - 8, front + 74, wide + 16, ground - front - 74, painted) +
    glass(sketch, left, front + 84, wide, ground - front - 146, sketch.light.lit > 0.3) +
    goods(sketch, left, ground - 62, wide) +
    rect(left, ground - 62, wide, 62, vertical(sketch, tint(painted, 0.1), shade(painted, 0.16))) +
    rect(left + 12, ground - 50, wide - 24, 36, shade(painted, 0.2))
  return (
    sky(sketch, ground) +
    skyline(sketch, ground, 330, 0.55) +
    sideHouses(sketch, x, w) +
    (wallColor === '#c98f6d'
      ? cladding(sketch, x, top, w, ground - top, 'brick', wallColor)
      : rect(x, top, w, ground - top, vertical(sketch, tint(wall, 0.16), wall))) +
    rect(x - 12, top - 16, w + 24, 20, tint(wall, 0.36)) +
    repeat(27, (index) => rect(x + 6 + index * 30, top + 4, 15, 9, tint(wall, 0.24))) +
    upper +
    rect(x, front - 26, w, 12, tint(wall, 0.3)) +
    flipped(
      displays(x + 40, 300) +
        displays(x + 490, 290) +
        door(sketch, x + 372, front + 92, 88, ground - front - 92, shade(trim, 0.1), 1) +
        glass(sketch, x + 386, front + 108, 60, 130, sketch.light.lit > 0.3),
      random.chance(0.5),
    ) +
    rect(x + 18, front - 2, w - 36, 50, vertical(sketch, tint(painted, 0.08), shade(painted, 0.12))) +
    rect(x + 26, front + 4, w - 52, 38, 'none', `stroke="${tint(painted, 0.5)}" stroke-width="2"`) +
    emblem(sketch, x + w / 2, front + 23, tint(painted, 0.75)) +
    awning(sketch, x + 24, front + 46, w - 48, painted) +
    street(sketch, ground) +
    (sketch.light.lit > 0.3 ? glow(sketch, x + w / 2, ground - 80, 420, '#ffdf9c', 0.35) : '') +
    groundGreens(sketch, x, w) +
    tree(sketch, random.pick(cityTrees), random.pick([110, 1095]), ground + 34, 360) +
    streetLamp(sketch, random.pick([150, 1050]), ground + 44, 210) +
    finish(sketch)
  )
}

function sideHouses(sketch: Sketch, x: number, w: number): string {
  const wall = tone(sketch, sketch.random.pick(['#d8cab6', '#c9cdcc', '#d9bfa6']))
  const one = (left: number, wide: number, top: number) =>
    rect(left, top, wide, ground - top, vertical(sketch, wall, shade(wall, 0.16))) +
    rect(left - 6, top - 10, wide + 12, 13, shade(wall, 0.1)) +
    repeat(2, (row) =>
      window(sketch, left + wide * 0.36, top + 50 + row * 150, 62, 92, { panes: 2, rows: 2 }),
    )
  return (
    one(-20, x + 30, sketch.random.between(190, 270)) +
    one(x + w - 10, canvas.width - x - w + 30, sketch.random.between(190, 270))
  )
}

/** What stands behind the glass: vases, boxes and hanging lamps. */
function goods(sketch: Sketch, x: number, y: number, w: number): string {
  const { random } = sketch
  const colors = ['#d9a15c', '#c2685a', '#6f9a94', '#e9e0cf', '#8a7aa6', '#d8b9a0']
  return (
    repeat(
      3,
      (index) =>
        line(
          x + w * (0.25 + index * 0.25),
          y - 170,
          x + w * (0.25 + index * 0.25),
          y - 128,
          '#2e3238',
          2,
          strokeOpacity(0.7),
        ) + ellipse(x + w * (0.25 + index * 0.25), y - 122, 11, 9, '#fff0c9'),
    ) +
    repeat(6, (index) => {
      const at = x + 22 + index * ((w - 60) / 5)
      const h = random.between(26, 62)
      const color = tone(sketch, random.pick(colors))
      return random.chance(0.5)
        ? rect(at - 12, y - h, 30, h, vertical(sketch, tint(color, 0.2), color))
        : path(
            `M${at - 6} ${y - h} L${at + 10} ${y - h} Q${at + 24} ${y - h * 0.4} ${at + 12} ${y} L${at - 8} ${y} Q${at - 20} ${y - h * 0.4} ${at - 6} ${y - h} Z`,
            vertical(sketch, tint(color, 0.25), color),
          )
    })
  )
}

/** A sign without letters. */
function emblem(sketch: Sketch, x: number, y: number, color: string): string {
  const { random } = sketch
  const kind = random.whole(0, 2)
  const rules = line(x - 190, y, x - 44, y, color, 2.5) + line(x + 44, y, x + 190, y, color, 2.5)
  if (kind === 0)
    return (
      rules + ellipse(x, y, 13, 13, color) + ellipse(x - 28, y, 5, 5, color) + ellipse(x + 28, y, 5, 5, color)
    )
  if (kind === 1)
    return (
      rules +
      path(
        `M${x - 26} ${y + 11} Q${x - 26} ${y - 13} ${x} ${y - 13} Q${x + 26} ${y - 13} ${x + 26} ${y + 11} Z`,
        color,
      )
    )
  return (
    rules +
    polygon([x, y - 15, x + 15, y, x, y + 15, x - 15, y], color) +
    polygon([x - 34, y - 7, x - 27, y, x - 34, y + 7, x - 41, y], color) +
    polygon([x + 34, y - 7, x + 41, y, x + 34, y + 7, x + 27, y], color)
  )
}

function awning(sketch: Sketch, x: number, y: number, w: number, color: string): string {
  const stripes = 20
  const step = w / stripes
  const white = tone(sketch, '#f5efe4')
  return (
    rect(x, y + 52, w, 30, '#141a33', opacity(0.26)) +
    repeat(stripes, (index) => {
      const fill = index % 2 === 0 ? color : white
      const left = x + index * step
      return (
        polygon(
          [left, y, left + step, y, left + step, y + 48, left, y + 48],
          vertical(sketch, tint(fill, 0.1), fill),
        ) +
        path(
          `M${left} ${y + 48} h${step} v10 a${step / 2} ${step / 2.6} 0 0 1 ${-step} 0 Z`,
          shade(fill, 0.1),
        )
      )
    }) +
    rect(x, y, w, 5, shade(color, 0.3))
  )
}

function groundGreens(sketch: Sketch, x: number, w: number): string {
  return (
    potPlant(sketch, x + 26, ground + 22, 88, tone(sketch, '#6b7076')) +
    potPlant(sketch, x + w - 26, ground + 22, 88, tone(sketch, '#6b7076'))
  )
}

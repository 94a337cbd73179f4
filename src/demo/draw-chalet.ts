/**
 * Chalets of wood and stone among firs, before mountains.
 */
import { farTrees, finish, lawn } from './draw-ground.ts'
import { garden, ground } from './draw-house-parts.ts'
import { cladding, flipped } from './draw-parts.ts'
import {
  clip,
  ellipse,
  group,
  opacity,
  path,
  polygon,
  rect,
  repeat,
  strokeOpacity,
  vertical,
} from './draw-shapes.ts'
import { shade, type Sketch, tint, tone } from './draw-sketch.ts'
import { mountains, sky } from './draw-sky.ts'
import { tree } from './draw-trees.ts'
import { door, window } from './draw-windows.ts'

/** A chalet among firs, with mountains behind. */
export function chalet(sketch: Sketch): string {
  const { random } = sketch
  const stone = '#9d958c'
  const wood = random.pick(['#8a5a38', '#9a6a42', '#744a30'])
  const roof = random.pick(['#4d5258', '#6b4a3e', '#40524e'])
  const snow = random.chance(0.6)
  const peak = random.between(150, 190)
  const planks = (left: number, top: number, right: number) =>
    group(
      cladding(sketch, left, top, right - left, 440 - top, 'wood', wood),
      clip(sketch, polygon([left, 400, (left + right) / 2, top, right, 400, right, 445, left, 445], '#000')),
    )
  const body =
    rect(700, 400, 270, ground - 370, vertical(sketch, shade(tone(sketch, wood), 0.2), tone(sketch, wood))) +
    cladding(sketch, 700, 400, 270, 90, 'wood', wood) +
    cladding(sketch, 700, 490, 270, ground - 460, 'stone', stone) +
    polygon(
      [690, 330, 960, 330, 1010, 412, 690, 412],
      vertical(sketch, tint(tone(sketch, roof), 0.14), tone(sketch, roof)),
    ) +
    rect(700, 412, 270, 18, '#141a33', opacity(0.25)) +
    window(sketch, 790, 452, 110, 96, { panes: 2, rows: 2, frame: '#f1e6d2' }) +
    cladding(sketch, 640, 150, 62, 200, 'stone', stone) +
    rect(632, 142, 78, 14, shade(tone(sketch, stone), 0.3)) +
    planks(290, peak, 710) +
    cladding(sketch, 300, 440, 400, ground - 410, 'stone', stone) +
    rect(286, 432, 428, 15, tone(sketch, shade(wood, 0.35))) +
    window(sketch, 412, peak + 128, 176, 118, { panes: 3, rows: 2, frame: '#f1e6d2', sill: false }) +
    balcony(sketch, 360, 372, 280, wood) +
    window(sketch, 330, 482, 120, 96, { panes: 2, rows: 2, frame: '#f1e6d2' }) +
    door(sketch, 545, 476, 92, ground - 452, shade(wood, 0.2), 2) +
    ridge(sketch, peak, roof, snow)
  return (
    sky(sketch, ground) +
    mountains(sketch, ground - 40, 400, '#7f8fb0', true) +
    mountains(sketch, ground, 190, '#5f7f78', false) +
    farTrees(sketch, ground + 4, 70, '#4b7562', 0.22) +
    repeat(5, (index) =>
      tree(sketch, 'pine', 40 + index * 280 + random.between(-40, 60), ground + 8, random.between(260, 430)),
    ) +
    lawn(sketch, ground, '#7fa263') +
    flipped(body, random.chance(0.5)) +
    tree(sketch, 'pine', random.pick([60, 1140]), 690, 430) +
    garden(sketch) +
    finish(sketch)
  )
}

function ridge(sketch: Sketch, peak: number, color: string, snow: boolean): string {
  const roof = tone(sketch, color)
  const d = (offset: number) => `M232 ${436 + offset} L500 ${peak - 18 + offset} L768 ${436 + offset}`
  const band = (offset: number, fill: string, wide: number, more = '') =>
    path(d(offset), 'none', `stroke="${fill}" stroke-width="${wide}" stroke-linejoin="miter" ${more}`)
  return (
    band(26, '#141a33', 20, strokeOpacity(0.25)) +
    band(0, roof, 26) +
    band(10, tone(sketch, '#5a3a26'), 7) +
    band(-11, snow ? tone(sketch, '#f6f8fb') : tint(roof, 0.2), snow ? 13 : 6)
  )
}

function balcony(sketch: Sketch, x: number, y: number, w: number, wood: string): string {
  const beam = tone(sketch, shade(wood, 0.2))
  return (
    repeat(Math.floor(w / 14), (index) => rect(x + index * 14, y, 7, 52, tone(sketch, tint(wood, 0.12)))) +
    rect(x - 10, y - 5, w + 20, 10, beam) +
    rect(x - 10, y + 48, w + 20, 13, beam) +
    rect(x, y + 61, w, 16, '#141a33', opacity(0.28)) +
    repeat(
      5,
      (index) =>
        ellipse(
          x + 30 + index * ((w - 60) / 4),
          y + 2,
          20,
          9,
          tone(sketch, index % 2 === 0 ? '#d9626b' : '#e88a7c'),
        ) + ellipse(x + 30 + index * ((w - 60) / 4), y + 8, 22, 7, tone(sketch, '#4f8457')),
    )
  )
}

/**
 * Façades of houses: white cubes of the thirties, and long low houses under wide eaves.
 */
import { chimney, driveway, garageDoor, ground, plasters } from './draw-house-parts.ts'
import { cladding, flipped, railing, tiledRoof } from './draw-parts.ts'
import { shrub } from './draw-plants.ts'
import { ellipse, glow, opacity, path, polygon, rect, repeat, vertical } from './draw-shapes.ts'
import { shade, type Sketch, tint, tone } from './draw-sketch.ts'
import { door, glass, window } from './draw-windows.ts'

const foot = ground + 30

/** Two white volumes, one rounded, with a porthole and a roof terrace. */
export function cubic(sketch: Sketch): string {
  const { random } = sketch
  const wall = tone(sketch, random.pick(['#f6f2ea', '#f1e6d6', '#eef0ee']))
  const base = random.pick(['#a9765a', '#9d958c', '#b5835a'])
  const iron = tone(sketch, '#3b4047')
  const wood = random.pick(['#7a4f33', '#3f5a6b', '#8a3f36', '#4d6b62'])
  const front = vertical(sketch, tint(wall, 0.3), wall)
  const rounded = `M230 ${foot} V250 Q230 206 290 206 H640 V${foot} Z`
  const bands = repeat(3, (index) => rect(230, 352 + index * 11, 410, 4, tone(sketch, shade(base, 0.1))))
  const body =
    rect(640, 372, 350, foot - 372, vertical(sketch, shade(wall, 0.1), shade(wall, 0.03))) +
    rect(634, 360, 372, 15, tint(wall, 0.35)) +
    rect(640, 375, 350, 14, '#141a33', opacity(0.18)) +
    railing(660, 316, 330, 44, iron, 11) +
    repeat(3, (index) => shrub(sketch, 720 + index * 110, 362, random.between(24, 36))) +
    garageDoor(sketch, 800, 446, 160, foot - 446, tone(sketch, random.pick(['#59626b', '#7a6a58']))) +
    path(rounded, front) +
    rect(226, 198, 420, 13, tint(wall, 0.4)) +
    rect(640, 206, 20, foot - 206, '#141a33', opacity(0.12)) +
    window(sketch, 292, 250, 150, 82, { panes: 3, frame: '#4d545b', sill: false }) +
    ellipse(550, 290, 47, 47, shade(wall, 0.16)) +
    ellipse(550, 290, 40, 40, iron) +
    ellipse(550, 290, 35, 35, sketch.light.lit > 0.3 ? '#ffe2a0' : tone(sketch, '#7f9db0')) +
    rect(548, 256, 4, 68, iron) +
    rect(516, 288, 68, 4, iron) +
    bands +
    window(sketch, 270, 430, 190, 112, { panes: 4, rows: 2, frame: '#4d545b' }) +
    cladding(sketch, 230, foot - 44, 410, 44, 'brick', base) +
    door(sketch, 520, 452, 84, foot - 458, wood, 2) +
    path('M486 446 H660 Q668 446 668 434 Q668 424 660 424 H486 Z', tint(wall, 0.3)) +
    rect(486, 446, 170, 16, '#141a33', opacity(0.2)) +
    rect(690, 440, 76, 100, shade(wall, 0.3)) +
    glass(sketch, 696, 446, 64, 88, random.chance(sketch.light.lit)) +
    rect(726, 446, 4, 88, '#f3efe8')
  return flipped(driveway(sketch, 800, 960, 520, 604) + body, random.chance(0.5))
}

/** One long floor of glass, stone and wood under a low roof. */
export function bungalow(sketch: Sketch): string {
  const { random } = sketch
  const wall = tone(sketch, random.pick(plasters))
  const wood = random.pick(['#a9744a', '#8a5f3c', '#b5835a'])
  const roof = random.pick(['#5a5f66', '#a9583f', '#6b4f43'])
  const stone = random.pick(['#b3a08c', '#9d958c', '#c2b29c'])
  const top = 400
  const tiled = random.chance(0.5)
  const post = tone(sketch, shade(wood, 0.2))
  const cover = tiled
    ? tiledRoof(sketch, [250, 268, 950, 268, 1080, top - 6, 120, top - 6], roof)
    : polygon(
        [120, top - 34, 1080, top - 88, 1080, top - 52, 120, top - 4],
        vertical(sketch, tint(tone(sketch, roof), 0.2), tone(sketch, roof)),
      ) + polygon([120, top - 4, 1080, top - 52, 1080, top - 36, 120, top + 10], tone(sketch, wood))
  const body =
    rect(150, top - 40, 900, foot - top + 40, vertical(sketch, shade(wall, 0.12), wall)) +
    cladding(sketch, 150, top - 40, 170, foot - top + 40, 'stone', stone) +
    window(sketch, 360, top + 44, 300, foot - top - 62, { panes: 4, frame: '#3b4047', sill: false }) +
    cladding(sketch, 690, top - 40, 150, foot - top + 40, 'wood', wood) +
    door(sketch, 722, top + 62, 86, foot - top - 68, shade(wood, 0.35), 1) +
    window(sketch, 876, top + 62, 140, 92, { panes: 3, frame: '#3b4047' }) +
    rect(150, top - 4, 900, 44, '#141a33', opacity(0.24)) +
    chimney(sketch, 470, tiled ? 214 : 282, 74, 100, tone(sketch, stone)) +
    cover +
    repeat(3, (index) =>
      rect(340 + index * 340, tiled ? top - 8 : top - 18 - index * 16, 11, foot - top + 40, post),
    ) +
    (sketch.light.lit > 0.3 ? glow(sketch, 520, top + 100, 320, '#ffdf9c', 0.4) : '') +
    rect(136, foot - 6, 928, 12, tone(sketch, '#cfc2ae'))
  return flipped(driveway(sketch, 712, 818, 712, 818) + body, random.chance(0.5))
}

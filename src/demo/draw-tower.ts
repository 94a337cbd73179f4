/**
 * Apartment towers, seen from across the street.
 */
import { finish, skyline, street } from './draw-ground.ts'
import { car, cladding, glassRailing, railing, streetLamp } from './draw-parts.ts'
import { shrub } from './draw-plants.ts'
import { glow, horizontal, line, opacity, polygon, rect, repeat, vertical } from './draw-shapes.ts'
import { canvas, mix, shade, type Sketch, tint, tone } from './draw-sketch.ts'
import { sky } from './draw-sky.ts'
import { cityTrees, tree } from './draw-trees.ts'
import { glass, window } from './draw-windows.ts'

export const ground = 672

export const carColors = ['#b9c0c6', '#3d4a5c', '#8f3b3b', '#e8e6e1', '#5f7a6b', '#c99a4b'] as const

/** A tower of flats with balconies. */
export function tower(sketch: Sketch): string {
  const { random } = sketch
  const floors = random.whole(6, 12)
  const x = random.between(310, 390)
  const w = random.between(320, 380) + (12 - floors) * 16
  const top = random.between(84, 110) + (12 - floors) * 24
  const base = 96
  const step = (ground - base - top) / floors
  const wallColor = random.pick([
    '#efe9df',
    '#d8c7b0',
    '#e6e3de',
    '#c98f6d',
    '#a9b0b5',
    '#e7c9a9',
    '#f4f1ea',
    '#c2c9bd',
  ])
  const wall = tone(sketch, wallColor)
  const dark = tone(sketch, random.pick(['#4d545c', '#6b5f55', '#3f4a52']))
  const side = random.between(64, 110)
  const brick = wallColor === '#c98f6d'
  const middle = w * random.pick([0.38, 0.44, 0.78])
  const ends = (w - middle) / 2
  const accent = tone(sketch, random.pick(['#a9744a', '#8f5a4a', '#5d7480', '#6f7f68', '#4d545c']))
  const endWindow = (left: number, y: number) =>
    ends < 60
      ? ''
      : window(sketch, left, y + step * 0.2, ends * 0.5, step * 0.52, {
          panes: 2,
          frame: '#5a626a',
          sill: false,
        })
  const bars = Math.round(middle / 48)
  const fins = random.chance(0.5)
    ? rect(x + ends - 26, top, 26, ground - base - top, accent) +
      rect(x + ends + middle, top, 26, ground - base - top, accent)
    : ''
  const storeys = repeat(floors, (floor) => {
    const y = top + floor * step
    const slab =
      rect(x + ends - 12, y + step - 7, middle + 24, 9, tint(wall, 0.5)) +
      rect(x + ends - 12, y + step + 2, middle + 24, 6, '#141a33', opacity(0.2))
    return (
      rect(x + ends, y + 3, middle, step - 8, shade(wall, 0.34)) +
      glass(sketch, x + ends + 8, y + 6, middle - 16, step - 14, random.chance(sketch.light.lit)) +
      repeat(bars, (bar) =>
        rect(x + ends + 8 + ((bar + 1) * (middle - 16)) / (bars + 1), y + 6, 3, step - 14, dark),
      ) +
      slab +
      (brick
        ? railing(x + ends - 10, y + step - 25, middle + 20, 19, dark, 7)
        : glassRailing(sketch, x + ends - 10, y + step - 25, middle + 20, 18)) +
      (random.chance(0.3)
        ? shrub(sketch, x + ends + random.between(20, middle - 20), y + step - 8, 15)
        : '') +
      endWindow(x + ends * 0.24, y) +
      endWindow(x + ends + middle + ends * 0.26, y) +
      rect(x + w + side * 0.3, y + step * 0.24, side * 0.4, step * 0.44, shade(tone(sketch, '#51677a'), 0.3))
    )
  })
  const roof =
    rect(x - 10, top - 14, w + side + 16, 17, shade(wall, 0.14)) +
    rect(x - 10, top - 14, w + 14, 17, tint(wall, 0.35)) +
    rect(x + w * 0.3, top - 58, w * 0.42, 46, shade(wall, 0.06)) +
    rect(x + w * 0.62, top - 58, w * 0.1, 46, shade(wall, 0.24)) +
    railing(x + 6, top - 30, w * 0.24, 17, dark) +
    shrub(sketch, x + w * 0.88, top - 12, 26)
  const body = brick
    ? cladding(sketch, x, top, w, ground - top, 'brick', wallColor)
    : rect(x, top, w, ground - top, horizontal(sketch, tint(wall, 0.26), wall))
  return (
    sky(sketch, ground) +
    skyline(sketch, ground, 360, 0.62) +
    skyline(sketch, ground, 210, 0.36) +
    neighbour(sketch, -30, x + 8, random.between(280, 400)) +
    neighbour(sketch, x + w + side - 10, canvas.width + 30, random.between(260, 400)) +
    rect(x + w, top, side, ground - top, horizontal(sketch, shade(wall, 0.3), shade(wall, 0.4))) +
    body +
    fins +
    storeys +
    roof +
    entrance(sketch, x, w, side, base, wall, dark) +
    street(sketch, ground) +
    tree(sketch, random.pick(cityTrees), random.between(120, 220), ground + 28, random.between(230, 290)) +
    tree(sketch, random.pick(cityTrees), random.between(930, 1060), ground + 28, random.between(230, 300)) +
    streetLamp(sketch, x - 40, ground + 40, 150) +
    (random.chance(0.75) ? car(sketch, random.between(40, 860), 776, 250, random.pick(carColors)) : '') +
    finish(sketch)
  )
}

export function neighbour(sketch: Sketch, left: number, right: number, rise: number): string {
  const { random, light } = sketch
  const wall = mix(
    tone(sketch, random.pick(['#cdbfae', '#bfc3c5', '#d9cbb8', '#c4a58e'])),
    light.sky[1],
    0.18,
  )
  const top = ground - rise
  const columns = Math.max(2, Math.floor((right - left) / 74))
  const rows = Math.floor((rise - 60) / 62)
  const gap = (right - left) / columns
  return (
    rect(left, top, right - left, rise, vertical(sketch, tint(wall, 0.12), shade(wall, 0.06))) +
    rect(left - 6, top - 10, right - left + 12, 12, shade(wall, 0.12)) +
    repeat(rows, (row) =>
      repeat(columns, (column) =>
        window(sketch, left + column * gap + gap * 0.26, top + 26 + row * 62, gap * 0.48, 36, {
          panes: 2,
          frame: '#e9e4dc',
        }),
      ),
    ) +
    rect(left, ground - 66, right - left, 66, shade(wall, 0.2))
  )
}

function entrance(
  sketch: Sketch,
  x: number,
  w: number,
  side: number,
  base: number,
  wall: string,
  dark: string,
): string {
  const y = ground - base
  const on = sketch.light.lit > 0.3
  return (
    rect(x - 6, y, w + side + 8, base, shade(wall, 0.46)) +
    cladding(sketch, x - 6, y, w * 0.3, base, 'stone', '#a89a8a') +
    glass(sketch, x + w * 0.3, y + 16, w * 0.42, base - 16, on) +
    repeat(5, (bar) => rect(x + w * 0.3 + (bar * w * 0.42) / 4 - 2, y + 16, 4, base - 16, dark)) +
    rect(x + w * 0.76, y + 22, w * 0.2, base - 22, dark) +
    repeat(4, (row) =>
      line(x + w * 0.76, y + 38 + row * 17, x + w * 0.96, y + 38 + row * 17, shade(dark, 0.4), 2),
    ) +
    polygon([x - 12, y - 4, x + w + 10, y - 4, x + w + 10, y + 8, x - 12, y + 8], tint(wall, 0.35)) +
    rect(x + w * 0.24, y + 6, w * 0.54, 12, dark) +
    (on ? glow(sketch, x + w * 0.51, y + 40, 160, '#ffdf9c', 0.5) : '') +
    shrub(sketch, x + w * 0.25, ground + 4, 30) +
    shrub(sketch, x + w * 0.78, ground + 4, 30)
  )
}

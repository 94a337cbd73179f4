/**
 * Façades of houses: modern, with a flat roof; traditional, plastered under clay tiles; and those of draw-house-low.ts.
 */
import { farTrees, finish, lawn } from './draw-ground.ts'
import { cladding, flipped, glassRailing, tiledRoof } from './draw-parts.ts'
import { chimney, driveway, garageDoor, garden, ground, plasters } from './draw-house-parts.ts'
import { bungalow, cubic } from './draw-house-low.ts'
import { glow, group, opacity, path, polygon, rect, repeat, strokeOpacity, vertical } from './draw-shapes.ts'
import { shade, type Sketch, tint, tone } from './draw-sketch.ts'
import { hill, sky } from './draw-sky.ts'
import { cityTrees, tree } from './draw-trees.ts'
import { door, window } from './draw-windows.ts'

/** A house and its front garden. */
export function house(sketch: Sketch): string {
  const { random } = sketch
  const behind = random.whole(2, 4)
  return (
    sky(sketch, ground) +
    hill(sketch, ground - 40, 18, '#8fae7e', 0.4) +
    farTrees(sketch, ground, 92) +
    repeat(behind, (index) =>
      tree(
        sketch,
        random.pick(cityTrees),
        60 + index * (1080 / behind) + random.between(0, 90),
        ground + 6,
        random.between(250, 400),
      ),
    ) +
    lawn(sketch, ground) +
    enlarged(random.pick([modern, modern, traditional, traditional, cubic, bungalow, bungalow])(sketch)) +
    garden(sketch) +
    finish(sketch)
  )
}

/** Brought nearer, without moving its foot. */
function enlarged(content: string): string {
  return group(content, 'transform="translate(600 640) scale(1.13) translate(-600 -640)"')
}

function modern(sketch: Sketch): string {
  const { random } = sketch
  const plaster = random.pick(plasters)
  const wall = tone(sketch, plaster)
  const dark = tone(sketch, random.pick(['#4a5058', '#5b5650', '#3f474c']))
  const wood = random.pick(['#a9744a', '#96683f', '#b5835a'])
  const flip = random.chance(0.5)
  const frame = '#3b4047'
  const left = 190
  const right = 1010
  const upperLeft = random.between(330, 420)
  const upper = 235
  const middle = 405
  const body =
    // The ground floor, its shade under the slab, and what closes it.
    rect(left, middle, right - left, ground - middle + 30, vertical(sketch, shade(wall, 0.16), wall)) +
    cladding(
      sketch,
      upperLeft - 10,
      middle,
      150,
      ground - middle + 30,
      random.pick(['stone', 'brick', 'wood']),
      random.pick(['#b3a08c', '#a9765a', wood]),
    ) +
    rect(left, middle, right - left, 40, '#141a33', opacity(0.2)) +
    garageDoor(sketch, left + 28, middle + 50, upperLeft - left - 70, ground - middle - 20, dark) +
    door(sketch, upperLeft + 168, middle + 58, 84, ground - middle - 28, wood, 1) +
    window(sketch, upperLeft + 290, middle + 44, right - upperLeft - 330, ground - middle - 34, {
      panes: 4,
      frame,
      sill: false,
    }) +
    // The slab and the upper volume, which overhangs.
    rect(left - 30, middle - 16, right - left + 60, 18, tint(wall, 0.4)) +
    rect(left - 30, middle + 2, right - left + 60, 5, shade(wall, 0.34)) +
    rect(
      upperLeft,
      upper,
      right + 46 - upperLeft,
      middle - upper - 14,
      vertical(sketch, tint(wall, 0.3), wall),
    ) +
    cladding(sketch, right - 150, upper, 196, middle - upper - 14, 'wood', wood) +
    window(sketch, upperLeft + 44, upper + 38, 220, 100, { panes: 3, frame, sill: false }) +
    window(sketch, right - 118, upper + 40, 130, 96, { panes: 2, frame, sill: false }) +
    rect(upperLeft - 24, upper - 20, right + 94 - upperLeft, 22, dark) +
    rect(upperLeft - 24, upper - 20, right + 94 - upperLeft, 5, tint(dark, 0.25)) +
    rect(upperLeft, upper + 2, right + 46 - upperLeft, 20, '#141a33', opacity(0.2)) +
    // The terrace beside it.
    glassRailing(sketch, left - 18, middle - 66, upperLeft - left + 18, 50) +
    polygon(
      [right + 46, upper + 2, right + 46, middle - 14, right + 16, middle - 14, right + 30, upper + 2],
      '#141a33',
      opacity(0.12),
    )
  const path = driveway(sketch, left + 20, upperLeft - 40, upperLeft + 168, upperLeft + 252)
  return flipped(path + body, flip)
}

function traditional(sketch: Sketch): string {
  const { random } = sketch
  const wall = tone(sketch, random.pick([...plasters, '#f0c9a4', '#e8c7bd']))
  const roof = random.pick(['#b9603f', '#a9543b', '#c07048', '#8f5a47'])
  const wood = random.pick(['#7a4f33', '#5d6f5a', '#3f5a6b', '#8a3f36'])
  const shutters = random.chance(0.6) ? wood : undefined
  const top = 350
  const rows = random.chance(0.5) ? 2 : 1
  const body =
    // The gabled wing on the left and the long wing on the right.
    rect(520, top, 500, ground - top + 30, vertical(sketch, shade(wall, 0.05), wall)) +
    tiledRoof(sketch, [560, 215, 1010, 215, 1060, top, 490, top], roof) +
    rect(520, top, 500, 24, '#141a33', opacity(0.22)) +
    chimney(sketch, 900, 165, 60, 90, wall) +
    polygon(
      [200, top - 20, 380, 190, 560, top - 20, 560, ground + 30, 200, ground + 30],
      vertical(sketch, tint(wall, 0.25), wall),
    ) +
    polygon([560, top - 20, 590, top + 20, 590, ground + 30, 560, ground + 30], '#141a33', opacity(0.16)) +
    gableEdge(sketch, 380, 176, 170, 352, 590, 352, roof) +
    window(sketch, 300, 405, 160, 130, { panes: 3, rows, shutters }) +
    window(sketch, 348, 262, 64, 74, { panes: 2, rows: 2 }) +
    porch(sketch, 620, top + 52, 170, wall, roof, wood) +
    window(sketch, 865, 415, 96, 112, { panes: 2, rows, shutters }) +
    rect(200, ground + 6, 820, 24, tone(sketch, '#a58f7c')) +
    rect(200, ground + 6, 820, 4, '#ffffff', opacity(0.3))
  return flipped(driveway(sketch, 660, 750, 660, 750) + body, random.chance(0.5))
}

function gableEdge(
  sketch: Sketch,
  topX: number,
  topY: number,
  leftX: number,
  leftY: number,
  rightX: number,
  rightY: number,
  color: string,
): string {
  const tile = tone(sketch, color)
  const stroke = (offset: number, fill: string, wide: number, more = '') =>
    path(
      `M${leftX} ${leftY + offset} L${topX} ${topY + offset} L${rightX} ${rightY + offset}`,
      'none',
      `stroke="${fill}" stroke-width="${wide}" stroke-linejoin="round" ${more}`,
    )
  return (
    stroke(22, shade(tile, 0.6), 14, strokeOpacity(0.25)) +
    stroke(0, shade(tile, 0.2), 22) +
    stroke(-6, tint(tile, 0.12), 8)
  )
}

function porch(
  sketch: Sketch,
  x: number,
  y: number,
  w: number,
  wall: string,
  roof: string,
  wood: string,
): string {
  return (
    rect(x, y, w, ground - y + 8, shade(wall, 0.3)) +
    door(sketch, x + 44, y + 44, 82, ground - y - 36, wood) +
    (sketch.light.lit > 0.3 ? glow(sketch, x + w / 2, y + 30, 120, '#ffdf9c', 0.7) : '') +
    rect(x - 8, y - 8, 22, ground - y + 16, tint(wall, 0.3)) +
    rect(x + w - 14, y - 8, 22, ground - y + 16, tint(wall, 0.2)) +
    tiledRoof(sketch, [x + 6, y - 52, x + w - 6, y - 52, x + w + 26, y, x - 26, y], roof)
  )
}

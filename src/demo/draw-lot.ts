/**
 * Lots: a field behind a wire fence, with trees and hills.
 */
import { farTrees, finish } from './draw-ground.ts'
import { flipped } from './draw-parts.ts'
import { grass } from './draw-plants.ts'
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
import { canvas, shade, type Sketch, tint, tone } from './draw-sketch.ts'
import { hill, mountains, sky } from './draw-sky.ts'
import { tree, type TreeKind } from './draw-trees.ts'

/** A field to build on: posts and wire in front, a track, trees and hills. */
export function lot(sketch: Sketch): string {
  const { random } = sketch
  const ridge = random.pick(['plain', 'hills', 'mountains'])
  const kinds: readonly TreeKind[] =
    ridge === 'mountains' ? ['pine', 'poplar', 'pine'] : ['round', 'round', 'poplar', 'cypress']
  const field = random.pick(['#a9b56a', '#93b060', '#c2b878', '#8aaa5c'])
  const horizon = random.between(390, 440)
  return (
    sky(sketch, horizon) +
    (ridge === 'mountains' ? mountains(sketch, horizon + 6, random.between(170, 240), '#8494b4', true) : '') +
    (ridge === 'plain'
      ? ''
      : hill(sketch, horizon - 46, 34, '#7f9f86', 0.42) + hill(sketch, horizon - 14, 24, '#86a870', 0.24)) +
    farTrees(sketch, horizon + 8, 48) +
    (random.chance(0.6) ? farHouse(sketch, random.between(140, 900), horizon + 14) : '') +
    flipped(land(sketch, horizon, field), random.chance(0.5)) +
    repeat(random.whole(2, 4), (index) =>
      tree(
        sketch,
        random.pick(kinds),
        70 + index * 330 + random.between(-40, 90),
        horizon + random.between(22, 60),
        random.between(150, 250),
      ),
    ) +
    stakes(sketch, horizon) +
    fence(sketch, random.between(596, 630)) +
    (random.chance(0.6) ? board(sketch, random.pick([230, 930]), 640) : '') +
    grass(sketch, 0, canvas.height, canvas.width, 92, tone(sketch, shade(field, 0.25))) +
    finish(sketch)
  )
}

function land(sketch: Sketch, horizon: number, color: string): string {
  const { random } = sketch
  const green = tone(sketch, color)
  const soil = tone(sketch, '#c9ab80')
  const strips = repeat(9, (index) => {
    const y = horizon + (canvas.height - horizon) * (index / 9) ** 1.8
    const swing = 8 + index * 3
    return path(
      `M-10 ${y} q310 ${random.between(-swing, swing)} 610 0 t620 0 V${canvas.height} H-10 Z`,
      index % 2 === 0 ? shade(green, 0.03 * index) : tint(green, 0.12),
      opacity(0.55),
    )
  })
  const track = `M690 ${horizon + 6} C640 ${horizon + 60} 720 ${horizon + 110} 660 ${horizon + 190} S470 ${canvas.height - 60} 440 ${canvas.height} L800 ${canvas.height} C770 ${canvas.height - 60} 790 ${horizon + 240} 770 ${horizon + 180} S680 ${horizon + 60} 699 ${horizon + 6} Z`
  return (
    rect(
      0,
      horizon,
      canvas.width,
      canvas.height - horizon,
      vertical(sketch, tint(green, 0.22), green, shade(green, 0.16)),
    ) +
    strips +
    path(track, vertical(sketch, tint(soil, 0.2), soil)) +
    repeat(110, () => {
      const far = random.next() ** 1.4
      const y = horizon + 14 + far * (canvas.height - horizon)
      const size = 3 + far * 13
      const x = random.next() * canvas.width
      return line(
        x,
        y,
        x + random.between(-3, 3),
        y - size,
        random.chance(0.5) ? shade(green, 0.22) : tint(green, 0.35),
        1.4 + far,
        strokeOpacity(0.55),
      )
    }) +
    repeat(26, () => {
      const far = random.next()
      return ellipse(
        random.next() * canvas.width,
        horizon + 50 + far * 300,
        2 + far * 3,
        1.6 + far * 2.4,
        tone(sketch, random.pick(['#f3e08a', '#f6f2e8', '#d9a3c4'])),
        opacity(0.9),
      )
    })
  )
}

function farHouse(sketch: Sketch, x: number, y: number): string {
  const wall = tone(sketch, '#f0e8da')
  const roof = tone(sketch, '#b4644a')
  return (
    rect(x, y - 36, 84, 36, wall) +
    polygon([x - 8, y - 34, x + 18, y - 60, x + 66, y - 60, x + 92, y - 34], roof) +
    rect(x + 12, y - 26, 13, 14, shade(wall, 0.5)) +
    rect(x + 40, y - 28, 12, 28, shade(wall, 0.55)) +
    rect(x + 62, y - 26, 13, 14, sketch.light.lit > 0.3 ? '#ffe2a0' : shade(wall, 0.5)) +
    tree(sketch, 'round', x + 104, y + 2, 78)
  )
}

/** Pegs with ribbons at the corners of the plot. */
function stakes(sketch: Sketch, horizon: number): string {
  const corners = [
    [250, horizon + 78],
    [760, horizon + 70],
    [960, horizon + 160],
    [120, horizon + 168],
  ] as const
  const ribbon = tone(sketch, '#d9534a')
  const string = corners.map(([x, y], index) => {
    const [nextX, nextY] = corners[(index + 1) % 4] as readonly [number, number]
    return line(x, y - 22, nextX, nextY - 22, '#f6efe2', 1.6, strokeOpacity(0.85))
  })
  return (
    string.join('') +
    corners
      .map(
        ([x, y]) =>
          rect(x - 3, y - 34, 6, 36, tone(sketch, '#8a6a4a')) +
          polygon([x + 3, y - 34, x + 24, y - 30, x + 3, y - 22], ribbon),
      )
      .join('')
  )
}

function fence(sketch: Sketch, y: number): string {
  const wood = tone(sketch, '#86694e')
  const post = (x: number) =>
    rect(x + 7, y + 74, 46, 6, '#141a33', opacity(0.16)) +
    polygon([x, y - 78, x + 16, y - 82, x + 17, y + 80, x, y + 80], wood) +
    polygon([x + 11, y - 80, x + 16, y - 82, x + 17, y + 80, x + 11, y + 80], shade(wood, 0.28))
  const wires = repeat(4, (row) =>
    path(
      `M-10 ${y - 58 + row * 32} q120 9 236 0 t236 0 t236 0 t236 0 t236 0 t236 0`,
      'none',
      `stroke="${shade(wood, 0.45)}" stroke-width="2"`,
    ),
  )
  return wires + repeat(6, (index) => post(-14 + index * 236))
}

/** The agency's board, without letters. */
function board(sketch: Sketch, x: number, y: number): string {
  const { random } = sketch
  const color = tone(sketch, random.pick(['#c2483f', '#2f6b8f', '#3d7a56', '#d08a35']))
  const white = tone(sketch, '#fbf6ec')
  return (
    rect(x - 72, y - 190, 9, 200, tone(sketch, '#7d6650')) +
    rect(x + 63, y - 190, 9, 200, tone(sketch, '#7d6650')) +
    rect(x - 86, y - 206, 172, 112, white) +
    rect(x - 80, y - 200, 160, 58, color) +
    polygon(
      [
        x,
        y - 194,
        x + 34,
        y - 168,
        x + 24,
        y - 168,
        x + 24,
        y - 148,
        x - 24,
        y - 148,
        x - 24,
        y - 168,
        x - 34,
        y - 168,
      ],
      white,
    ) +
    rect(x - 62, y - 130, 124, 8, color, opacity(0.8)) +
    rect(x - 44, y - 114, 88, 6, shade(white, 0.4), opacity(0.6))
  )
}

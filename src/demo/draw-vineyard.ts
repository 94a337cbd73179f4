/**
 * Vineyards before the Andes.
 */
import { finish } from './draw-ground.ts'
import { flipped, tiledRoof } from './draw-parts.ts'
import { face, type Point, project } from './draw-perspective.ts'
import { shrub } from './draw-plants.ts'
import { ellipse, ellipses, line, opacity, path, rect, repeat, vertical } from './draw-shapes.ts'
import { canvas, shade, type Sketch, tint, tone } from './draw-sketch.ts'
import { hill, mountains, sky } from './draw-sky.ts'
import { tree } from './draw-trees.ts'

/** Rows of vines that run to a house of adobe, poplars and snowy peaks. */
export function vineyard(sketch: Sketch): string {
  const { random } = sketch
  const horizon = 384
  const soil = tone(sketch, random.pick(['#c3a077', '#b7926a', '#c9aa80']))
  const leaf = tone(sketch, random.pick(['#6f9a4f', '#7fa452', '#b99a45', '#5f8f4e']))
  const rows: number[] = []
  for (let x = -26; x <= 26; x += 2) rows.push(x)
  // From the outside in, so that each row hides the one behind it.
  rows.sort((one, other) => Math.abs(other) - Math.abs(one))
  return (
    sky(sketch, horizon) +
    mountains(sketch, horizon + 4, random.between(230, 290), '#7d8bb0', true) +
    hill(sketch, horizon - 22, 16, '#8c9c86', 0.4) +
    repeat(17, (index) =>
      tree(sketch, 'poplar', 20 + index * 74 + random.between(-22, 22), horizon + 8, random.between(84, 128)),
    ) +
    rect(
      0,
      horizon,
      canvas.width,
      canvas.height - horizon,
      vertical(sketch, tint(soil, 0.16), soil, shade(soil, 0.12)),
    ) +
    flipped(winery(sketch, random.between(250, 330), horizon + 16), random.chance(0.5)) +
    rows.map((x) => vineRow(sketch, x + 1, leaf, soil)).join('') +
    finish(sketch)
  )
}

function vineRow(sketch: Sketch, x: number, leaf: string, soil: string): string {
  const { random } = sketch
  const [near, far] = [Math.max(0.85, (Math.abs(x) - 0.3) * 1.24), 34]
  const wide = 0.3
  const side = x > 0 ? x - wide : x + wide
  const at = (px: number, y: number, z: number): Point => [px, y, z]
  let out = face(
    [at(x - 0.55, 0, near), at(x + 0.55, 0, near), at(x + 0.4, 0, far), at(x - 0.4, 0, far)],
    shade(soil, 0.26),
    opacity(0.5),
  )
  for (let z = Math.min(far, near + 9); z > near; z -= 1.5) {
    const [px, foot] = project([x, 0, z])
    const [, top] = project([x, 0.5, z])
    out += line(px, foot, px, top, tone(sketch, '#6a4f3a'), 60 / z)
  }
  out += face(
    [at(side, 0.42, near), at(side, 1.12, near), at(side, 1.12, far), at(side, 0.42, far)],
    vertical(sketch, tint(leaf, 0.06), shade(leaf, 0.3)),
  )
  out += face(
    [at(x - wide, 1.12, near), at(x + wide, 1.12, near), at(x + wide, 1.12, far), at(x - wide, 1.12, far)],
    tint(leaf, 0.2),
  )
  // One shape a tone, from the shade below to the sun on top.
  const tones = [shade(leaf, 0.3), shade(leaf, 0.14), leaf, tint(leaf, 0.24)]
  const heights = [
    [0.42, 0.6],
    [0.6, 0.85],
    [0.85, 1.08],
    [1.08, 1.16],
  ] as const
  const leaves = tones.map((): [number, number, number, number][] => [])
  let grapes = ''
  for (let z = 14; z > near; z *= 0.94) {
    heights.forEach(([low, high], index) => {
      const across = (index === 3 ? x : side) + random.between(-0.05, 0.05)
      const [px, py] = project([across, random.between(low, high), z])
      const r = Math.min(48, (800 / z) * random.between(0.07, 0.11))
      leaves[index]?.push([px, py, r, r * 0.78])
    })
    if (random.chance(0.28) && z > 2.6) {
      const [px, py] = project([side, random.between(0.55, 0.75), z])
      grapes +=
        repeat(3, (index) =>
          ellipse(px + (index - 1) * (26 / z), py, 26 / z, 28 / z, tone(sketch, '#6b4275')),
        ) + ellipse(px, py + 42 / z, 26 / z, 30 / z, tone(sketch, '#553062'))
    }
  }
  return out + leaves.map((list, index) => ellipses(list, tones[index] as string)).join('') + grapes
}

function winery(sketch: Sketch, x: number, y: number): string {
  const wall = tone(sketch, sketch.random.pick(['#e8c9a0', '#f0e4d0', '#d9a982']))
  const lit = sketch.light.lit > 0.3
  const arch = (left: number) =>
    path(
      `M${left} ${y} V${y - 34} A17 17 0 0 1 ${left + 34} ${y - 34} V${y} Z`,
      lit ? '#ffdc94' : shade(wall, 0.55),
    )
  return (
    rect(x, y - 76, 330, 76, vertical(sketch, tint(wall, 0.2), wall)) +
    rect(x + 330, y - 108, 74, 108, vertical(sketch, tint(wall, 0.3), shade(wall, 0.08))) +
    tiledRoof(sketch, [x + 14, y - 112, x + 316, y - 112, x + 344, y - 74, x - 14, y - 74], '#b4644a') +
    tiledRoof(sketch, [x + 360, y - 142, x + 374, y - 142, x + 412, y - 106, x + 322, y - 106], '#a9583f') +
    repeat(6, (index) => arch(x + 16 + index * 52)) +
    rect(x + 356, y - 84, 22, 30, lit ? '#ffdc94' : shade(wall, 0.55)) +
    tree(sketch, 'cypress', x - 26, y + 4, 130) +
    tree(sketch, 'cypress', x + 432, y + 4, 150) +
    shrub(sketch, x + 60, y + 6, 28) +
    shrub(sketch, x + 250, y + 6, 28)
  )
}

/**
 * Country houses with a garden and a pool.
 */
import { farTrees, finish, lawn } from './draw-ground.ts'
import { flipped, tiledRoof } from './draw-parts.ts'
import { face, flat, floorShadow, frontOf, type Point, project } from './draw-perspective.ts'
import { grass, potPlant, shrub } from './draw-plants.ts'
import {
  clip,
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
import { canvas, mix, shade, type Sketch, tint, tone } from './draw-sketch.ts'
import { sky } from './draw-sky.ts'
import { gardenTrees, tree } from './draw-trees.ts'
import { window } from './draw-windows.ts'

/** A garden with a pool, loungers under a parasol, and a house with a gallery. */
export function pool(sketch: Sketch): string {
  const { random } = sketch
  const horizon = 430
  return (
    sky(sketch, horizon) +
    farTrees(sketch, horizon + 4, 110, '#5f8a5a', 0.22) +
    repeat(4, (index) =>
      tree(
        sketch,
        random.pick(gardenTrees),
        60 + index * 350 + random.between(-30, 60),
        horizon + 12,
        random.between(230, 340),
      ),
    ) +
    lawn(sketch, horizon) +
    flipped(galleryHouse(sketch, horizon + 20) + basin(sketch) + loungers(sketch), random.chance(0.5)) +
    potPlant(sketch, random.pick([70, 1130]), 782, 190) +
    grass(sketch, 0, canvas.height, canvas.width, 24, tone(sketch, '#6e9650')) +
    finish(sketch)
  )
}

function galleryHouse(sketch: Sketch, y: number): string {
  const { random } = sketch
  const wall = tone(sketch, random.pick(['#f3ece0', '#e9d8c2', '#efe6da']))
  const wood = tone(sketch, '#8a6242')
  const [x, w, h] = [90, 640, 128]
  const modern = random.chance(0.45)
  const roof = modern
    ? rect(x - 26, y - h - 22, w + 52, 24, tone(sketch, '#4d545b')) +
      rect(x - 26, y - h - 22, w + 52, 6, tone(sketch, '#7a8188'))
    : tiledRoof(
        sketch,
        [x + 40, y - h - 84, x + w - 40, y - h - 84, x + w + 34, y - h + 6, x - 34, y - h + 6],
        random.pick(['#b4644a', '#a45a44', '#59626c']),
      )
  return (
    rect(x, y - h, w, h, vertical(sketch, shade(wall, 0.2), wall)) +
    repeat(3, (index) =>
      window(sketch, x + 36 + index * 206, y - h + 34, 148, h - 34, {
        panes: 3,
        frame: '#474e55',
        sill: false,
      }),
    ) +
    rect(x, y - h, w, 34, '#141a33', opacity(0.24)) +
    (sketch.light.lit > 0.3 ? glow(sketch, x + w / 2, y - 50, 300, '#ffdf9c', 0.45) : '') +
    repeat(5, (index) => rect(x - 14 + index * ((w + 18) / 4), y - h, 11, h + 4, wood)) +
    roof +
    rect(x + w * 0.78, y - h - (modern ? 66 : 120), 46, 60, shade(wall, 0.12)) +
    rect(x - 30, y, w + 60, 12, tone(sketch, '#cfc2ae')) +
    repeat(7, (index) => shrub(sketch, x - 20 + index * 116, y + 16, random.between(20, 32)))
  )
}

function basin(sketch: Sketch): string {
  const { random, light } = sketch
  const [left, right, near, far] = [-1.5, 3.6, 3.05, 6.6]
  const stone = tone(sketch, random.pick(['#e6dccb', '#dcd6cc', '#d9c3a6']))
  const water = mix(tone(sketch, random.pick(['#4fb3c8', '#57b9bd', '#4aa3cf'])), light.sky[0], 0.12)
  const ring = (grow: number, y: number): Point[] => [
    [left - grow, y, near - grow * 0.7],
    [right + grow, y, near - grow * 0.7],
    [right + grow, y, far + grow],
    [left - grow, y, far + grow],
  ]
  const ripples = repeat(34, () => {
    const z = random.between(near + 0.25, far - 0.3)
    const [x, y] = project([random.between(left + 0.2, right - 0.7), -0.12, z])
    const size = random.between(14, 42) * (4 / z)
    return path(
      `M${x} ${y} q${size * 0.5} ${-size * 0.14} ${size} 0 t${size} 0`,
      'none',
      `stroke="#ffffff" stroke-width="${3.4 / z + 0.8}" stroke-linecap="round" stroke-opacity="0.5"`,
    )
  })
  return (
    face(ring(0.62, 0), vertical(sketch, shade(stone, 0.06), tint(stone, 0.16))) +
    repeat(9, (index) => {
      const x = left - 0.6 + index * 0.79
      const [x1, y1] = project([x, 0, near - 0.42])
      const [x2, y2] = project([x, 0, far + 0.6])
      return line(x1, y1, x2, y2, shade(stone, 0.2), 1.4, strokeOpacity(0.5))
    }) +
    face(ring(0.04, 0), shade(stone, 0.3)) +
    // Below the edge, so that the near side hides some of the water.
    group(
      face(ring(0, 0), shade(water, 0.22)) +
        flat(
          [left, right],
          -0.12,
          [near, far],
          vertical(sketch, tint(water, 0.36), water, shade(water, 0.16)),
        ) +
        face(
          [
            [left + 0.3, -0.12, far - 0.1],
            [left + 2.4, -0.12, far - 0.1],
            [left + 1.7, -0.12, near + 0.6],
            [left + 0.1, -0.12, near + 0.6],
          ],
          '#ffffff',
          opacity(0.13),
        ) +
        ripples,
      clip(sketch, face(ring(0, 0), '#000')),
    )
  )
}

function loungers(sketch: Sketch): string {
  const { random } = sketch
  const cloth = tone(sketch, random.pick(['#f5efe2', '#e0a458', '#5f9ea0', '#d98a78']))
  const wood = tone(sketch, '#9a7048')
  const one = (x: number, z: number) => {
    const at = frontOf({ x, y: 0, w: 0.7, h: 0.34, z })
    const u = at.unit
    return (
      floorShadow(sketch, x - 0.1, z - 0.3, 1.9, 0.8) +
      polygon(
        [
          at.x,
          at.y + at.h * 0.2,
          at.x + u * 1.1,
          at.y + at.h * 0.2,
          at.x + u * 1.3,
          at.y + at.h * 0.5,
          at.x + u * 0.1,
          at.y + at.h * 0.5,
        ],
        cloth,
      ) +
      polygon(
        [
          at.x,
          at.y + at.h * 0.2,
          at.x - u * 0.52,
          at.y - u * 0.42,
          at.x - u * 0.4,
          at.y - u * 0.42,
          at.x + u * 0.14,
          at.y + at.h * 0.3,
        ],
        shade(cloth, 0.1),
      ) +
      polygon(
        [
          at.x + u * 0.1,
          at.y + at.h * 0.5,
          at.x + u * 1.3,
          at.y + at.h * 0.5,
          at.x + u * 1.3,
          at.y + at.h * 0.64,
          at.x + u * 0.1,
          at.y + at.h * 0.64,
        ],
        wood,
      ) +
      rect(at.x + u * 0.14, at.y + at.h * 0.6, u * 0.05, at.h * 0.5, wood) +
      rect(at.x + u * 1.2, at.y + at.h * 0.6, u * 0.05, at.h * 0.5, wood)
    )
  }
  const [px, foot] = project([-2.75, 0, 5.6])
  const top = foot - 265
  const parasol = tone(sketch, random.pick(['#f4ecdd', '#d9775f', '#3f7f80', '#e0b153']))
  return (
    line(px, foot, px, top, wood, 7) +
    path(
      `M${px - 150} ${top + 52} Q${px - 70} ${top - 26} ${px} ${top - 34} Q${px + 70} ${top - 26} ${px + 150} ${top + 52} Q${px + 112} ${top + 36} ${px + 75} ${top + 52} Q${px + 38} ${top + 36} ${px} ${top + 52} Q${px - 38} ${top + 36} ${px - 75} ${top + 52} Q${px - 112} ${top + 36} ${px - 150} ${top + 52} Z`,
      vertical(sketch, tint(parasol, 0.2), shade(parasol, 0.06)),
    ) +
    path(
      `M${px} ${top - 34} Q${px + 70} ${top - 26} ${px + 150} ${top + 52} Q${px + 112} ${top + 36} ${px + 75} ${top + 52} Z`,
      shade(parasol, 0.16),
    ) +
    one(-3.1, 5.3) +
    one(-2.9, 4.3)
  )
}

/**
 * Balconies with a view over the city, the river or the mountains.
 */
import { farTrees, finish, skyline } from './draw-ground.ts'
import { flipped, glassRailing, railing } from './draw-parts.ts'
import { box, face, flat, floorShadow, frontOf, type Point, project, upright } from './draw-perspective.ts'
import { potPlant } from './draw-plants.ts'
import { accents, woods } from './draw-room.ts'
import { ellipse, glow, line, opacity, path, rect, repeat, strokeOpacity, vertical } from './draw-shapes.ts'
import { canvas, mix, shade, type Sketch, tint, tone } from './draw-sketch.ts'
import { hill, mountains, sky } from './draw-sky.ts'

const edge = 4.3

/** A deck with two chairs, plants along the railing, and what can be seen from up there. */
export function balcony(sketch: Sketch): string {
  const { random, light } = sketch
  const [, deck] = project([0, 0, edge])
  const [, rail] = project([0, 1.05, edge])
  const fabric = tone(sketch, random.pick(accents))
  const wood = tone(sketch, random.pick(woods))
  const dark = tone(sketch, '#3c434b')
  return (
    sky(sketch, 520) +
    view(sketch) +
    flipped(
      boards(sketch, wood) +
        (random.chance(0.6)
          ? glassRailing(sketch, -10, rail, canvas.width + 20, deck - rail)
          : railing(-10, rail, canvas.width + 20, deck - rail, dark, 22)) +
        rect(-10, rail - 7, canvas.width + 20, 8, dark) +
        rect(-10, deck - 4, canvas.width + 20, 10, shade(wood, 0.4)) +
        wallWithDoor(sketch) +
        ceiling(sketch) +
        planter(sketch, 0.7, 1.6) +
        (random.chance(0.6)
          ? chair(sketch, -0.95, 3.3, fabric) +
            chair(sketch, 0.75, 3.15, fabric) +
            smallTable(sketch, 0.05, 3.25)
          : planter(sketch, -1.7, 1.9) + bench(sketch, -1.05, 3.35, fabric) + smallTable(sketch, 1.15, 3.0)) +
        plant(sketch, 1.95, 3.5) +
        (light.lit > 0.3 ? lights(sketch) : ''),
      random.chance(0.5),
    ) +
    finish(sketch)
  )
}

function view(sketch: Sketch): string {
  const { random } = sketch
  const kind = random.pick(['city', 'city', 'river', 'mountains'])
  if (kind === 'mountains')
    return (
      mountains(sketch, 520, 270, '#8090b4', true) +
      hill(sketch, 500, 26, '#7fa07c', 0.36) +
      farTrees(sketch, 560, 56) +
      skyline(sketch, 600, 60, 0.3)
    )
  if (kind === 'river') {
    const water = mix(tone(sketch, '#7fb0c8'), sketch.light.sky[1], 0.35)
    return (
      rect(0, 452, canvas.width, 200, vertical(sketch, tint(water, 0.35), water)) +
      repeat(26, () => glint(sketch)) +
      skyline(sketch, 456, 46, 0.66, 700) +
      farTrees(sketch, 590, 60, '#6f9468', 0.18) +
      skyline(sketch, 640, 110, 0.22, 0, 460)
    )
  }
  return (
    skyline(sketch, 560, 360, 0.66) +
    skyline(sketch, 580, 240, 0.42) +
    farTrees(sketch, 600, 46, '#6f9468', 0.25) +
    skyline(sketch, 640, 120, 0.16)
  )
}

function glint(sketch: Sketch): string {
  const { random } = sketch
  const x = random.next() * canvas.width
  const y = random.between(462, 570)
  return line(x, y, x + random.between(14, 60), y, '#ffffff', 1.6, strokeOpacity(0.5))
}

function boards(sketch: Sketch, wood: string): string {
  const { random } = sketch
  let out = ''
  for (let z = 1.1; z < edge; z += 0.14) {
    const to = Math.min(edge, z + 0.14)
    out += flat(
      [-4.5, 4.5],
      0,
      [z, to],
      random.chance(0.5) ? tint(wood, random.between(0, 0.14)) : shade(wood, random.between(0, 0.12)),
    )
    const [, y] = project([0, 0, z])
    out += line(0, y, canvas.width, y, shade(wood, 0.4), 1.6, strokeOpacity(0.6))
  }
  return out
}

/** The flat's wall on the left, with its sliding door. */
function wallWithDoor(sketch: Sketch): string {
  const wall = tone(sketch, sketch.random.pick(['#efe7da', '#e3e1dc', '#d9c4aa', '#c98f6d']))
  const x = -2.25
  const on = sketch.light.lit > 0.3
  const at = (y: number, z: number): Point => [x, y, z]
  const pane = (from: number, to: number) =>
    face(
      [at(0.06, from), at(0.06, to), at(2.25, to), at(2.25, from)],
      on
        ? vertical(sketch, '#ffeec2', '#eab66c')
        : vertical(sketch, tone(sketch, '#b4cbd6'), tone(sketch, '#5b7386')),
    )
  return (
    face(
      [at(-0.1, 1.1), at(-0.1, edge), at(2.9, edge), at(2.9, 1.1)],
      vertical(sketch, tint(wall, 0.1), shade(wall, 0.1)),
    ) +
    face([at(0, 2.3), at(0, 3.95), at(2.32, 3.95), at(2.32, 2.3)], tone(sketch, '#40474f')) +
    pane(2.36, 3.1) +
    pane(3.15, 3.9) +
    (on ? glow(sketch, 190, 420, 260, '#ffdf9c', 0.4) : '')
  )
}

function ceiling(sketch: Sketch): string {
  const slab = tone(sketch, '#e9e4db')
  return (
    flat([-4.5, 4.5], 2.75, [1.1, edge], vertical(sketch, shade(slab, 0.12), shade(slab, 0.02))) +
    (sketch.random.chance(0.5) ? slats(sketch) : '') +
    upright([-4.5, 4.5], [2.75, 2.92], edge, tint(slab, 0.3))
  )
}

/** Boards on the ceiling. */
function slats(sketch: Sketch): string {
  const wood = tone(sketch, '#b98d62')
  let out = ''
  for (let x = -4.4; x < 4.4; x += 0.3)
    out += flat([x, x + 0.27], 2.75, [1.1, edge], vertical(sketch, shade(wood, 0.3), wood))
  return out
}

function planter(sketch: Sketch, x: number, w: number): string {
  const { random } = sketch
  const z = edge - 0.35
  const leaf = tone(sketch, '#5c8a54')
  const blossom = tone(sketch, random.pick(['#e08a9c', '#f0c85e', '#f4ede2', '#b48ad0']))
  const pot = tone(sketch, random.pick(['#5b6066', '#b97552', '#e2dacb']))
  return (
    floorShadow(sketch, x, z, w, 0.3) +
    repeat(34, (index) => {
      const [px, py] = project([x + random.next() * w, 0.42 + random.next() * 0.3, z + 0.12])
      const r = random.between(8, 17)
      return ellipse(
        px,
        py,
        r,
        r * 0.8,
        index % 5 === 0 ? blossom : index % 2 === 0 ? leaf : shade(leaf, 0.22),
      )
    }) +
    box(sketch, { x, y: 0, z, w, h: 0.42, d: 0.3 }, pot)
  )
}

function chair(sketch: Sketch, x: number, z: number, fabric: string): string {
  const wood = tone(sketch, '#8a6242')
  const leg = (left: number, depth: number) =>
    box(sketch, { x: left, y: 0, z: depth, w: 0.05, h: 0.4, d: 0.05 }, wood)
  return (
    floorShadow(sketch, x, z, 0.7, 0.6) +
    leg(x, z + 0.55) +
    leg(x + 0.65, z + 0.55) +
    box(sketch, { x: x + 0.02, y: 0.38, z: z + 0.54, w: 0.66, h: 0.5, d: 0.1 }, fabric) +
    leg(x, z) +
    leg(x + 0.65, z) +
    box(sketch, { x, y: 0.34, z, w: 0.7, h: 0.14, d: 0.6 }, tint(fabric, 0.1)) +
    box(sketch, { x: x - 0.02, y: 0.56, z: z + 0.02, w: 0.07, h: 0.04, d: 0.55 }, wood) +
    box(sketch, { x: x + 0.65, y: 0.56, z: z + 0.02, w: 0.07, h: 0.04, d: 0.55 }, wood)
  )
}

/** A long seat with cushions. */
function bench(sketch: Sketch, x: number, z: number, fabric: string): string {
  const wood = tone(sketch, '#8a6242')
  const cushion = (left: number, color: string) => {
    const at = frontOf({ x: left, y: 0.44, w: 0.42, h: 0.36, z: z + 0.35 })
    return rect(at.x, at.y, at.w, at.h, vertical(sketch, tint(color, 0.25), color), `rx="${at.w * 0.16}"`)
  }
  return (
    floorShadow(sketch, x, z, 2.1, 0.7) +
    box(sketch, { x, y: 0.1, z: z + 0.6, w: 2.1, h: 0.68, d: 0.12 }, wood) +
    box(sketch, { x, y: 0.08, z, w: 2.1, h: 0.2, d: 0.7 }, wood) +
    box(sketch, { x: x + 0.03, y: 0.28, z: z + 0.01, w: 2.04, h: 0.15, d: 0.6 }, tint(fabric, 0.5)) +
    cushion(x + 0.15, fabric) +
    cushion(x + 0.5, tint(fabric, 0.4)) +
    cushion(x + 1.5, fabric)
  )
}

function smallTable(sketch: Sketch, x: number, z: number): string {
  const [cx, top] = project([x + 0.25, 0.5, z + 0.2])
  const [, foot] = project([x + 0.25, 0, z + 0.2])
  const dark = tone(sketch, '#3c434b')
  return (
    ellipse(cx, foot, 40, 9, '#141a33', opacity(0.3)) +
    rect(cx - 3, top, 6, foot - top, dark) +
    ellipse(cx, foot - 2, 30, 7, dark) +
    ellipse(cx, top + 4, 66, 16, shade(dark, 0.3)) +
    ellipse(cx, top, 66, 16, tint(dark, 0.2)) +
    rect(cx - 24, top - 24, 17, 24, '#f6f1e7', 'rx="3"') +
    path(
      `M${cx + 10} ${top - 2} L${cx + 13} ${top - 34} h12 L${cx + 28} ${top - 2} Z`,
      '#f2c879',
      opacity(0.85),
    )
  )
}

function plant(sketch: Sketch, x: number, z: number): string {
  const [px, py] = project([x, 0, z])
  return potPlant(sketch, px, py, 250, tone(sketch, sketch.random.pick(['#c47a55', '#e4ddd0', '#5b6066'])))
}

function lights(sketch: Sketch): string {
  const bulbs = repeat(12, (index) => {
    const x = 260 + index * 84
    const y = 92 + Math.sin((index % 4) * 1.05) * 22
    return glow(sketch, x, y, 34, '#ffe2a0', 0.8) + ellipse(x, y, 5, 6, '#fff6dc')
  })
  return path('M240 84 Q340 128 500 86 T840 86 T1200 86', 'none', 'stroke="#3a3a40" stroke-width="2"') + bulbs
}

/**
 * The shell of a drawn room: floor, walls, ceiling, and colours that go together.
 */
import { face, flat, floorLine, type Point, side, upright } from './draw-perspective.ts'
import { horizontal, vertical } from './draw-shapes.ts'
import { mix, shade, type Sketch, tint } from './draw-sketch.ts'

/** Indoors the hour shows less. */
export const indoor = (sketch: Sketch, color: string): string =>
  mix(color, sketch.light.ambient, sketch.light.amount * 0.4)

export const walls = ['#efe8dc', '#e6e8e4', '#ebe0d2', '#e2e9ea', '#f1e9e1', '#dee5da', '#e9e4ee'] as const

export const accents = ['#3f7f80', '#c8714f', '#d5a340', '#35547f', '#788350', '#cf8f86', '#6a5a8c'] as const

export const woods = ['#c99f70', '#b88c60', '#a87a4e', '#d6ba93', '#8f6a4a'] as const

/** Shade indoors is warmer than outdoors. */
const dim = (color: string, share: number): string => mix(color, '#5e4c4a', share)

export type Room = {
  width: number
  depth: number
  height: number
  wall: string
  accent: string
  wood: string
}

/** A room of chance: its measures and colours. */
export function newRoom(sketch: Sketch, measures: Partial<Room> = {}): Room {
  const { random } = sketch
  return {
    width: random.between(5.2, 6),
    depth: random.between(5.3, 6.1),
    height: 2.7,
    wall: indoor(sketch, random.pick(walls)),
    accent: indoor(sketch, random.pick(accents)),
    wood: indoor(sketch, random.pick(woods)),
    ...measures,
  }
}

const near = 1.15

/** Floor, walls and ceiling. */
export function shell(
  sketch: Sketch,
  room: Room,
  floor: 'wood' | 'tile' | 'concrete',
  backWall = room.wall,
): string {
  const { wall, depth, height } = room
  const half = room.width / 2
  const plaster = tint(wall, 0.55)
  const skirting = (points: readonly Point[]) => face(points, tint(wall, 0.6))
  return (
    flat([-half, half], height, [near, depth], vertical(sketch, dim(plaster, 0.07), tint(plaster, 0.5))) +
    upright(
      [-half, half],
      [0, height],
      depth,
      vertical(sketch, tint(backWall, 0.16), backWall, dim(backWall, 0.05)),
    ) +
    side(-half, [0, height], [near, depth], horizontal(sketch, dim(wall, 0.03), dim(wall, 0.09))) +
    side(half, [0, height], [near, depth], horizontal(sketch, dim(wall, 0.15), dim(wall, 0.1))) +
    floorOf(sketch, room, floor) +
    skirting([
      [-half, 0, depth],
      [half, 0, depth],
      [half, 0.09, depth],
      [-half, 0.09, depth],
    ]) +
    skirting([
      [-half, 0, near],
      [-half, 0, depth],
      [-half, 0.09, depth],
      [-half, 0.09, near],
    ]) +
    skirting([
      [half, 0, near],
      [half, 0, depth],
      [half, 0.09, depth],
      [half, 0.09, near],
    ])
  )
}

function floorOf(sketch: Sketch, room: Room, kind: 'wood' | 'tile' | 'concrete'): string {
  const { random } = sketch
  const half = room.width / 2
  const color =
    kind === 'wood'
      ? room.wood
      : indoor(sketch, kind === 'tile' ? random.pick(['#d9d4cb', '#cdd0d1', '#dcd0bf']) : '#b9b7b4')
  const area: Point[] = [
    [-half, 0, near],
    [half, 0, near],
    [half, 0, room.depth],
    [-half, 0, room.depth],
  ]
  const sheen = face(area, vertical(sketch, ['#ffffff', 0.22], ['#ffffff', 0], ['#141a33', 0.12]))
  if (kind === 'concrete') return face(area, color) + sheen
  const seam = shade(color, 0.28)
  let out = face(area, color)
  if (kind === 'wood') {
    for (let x = -half; x < half - 0.01; x += 0.2) {
      out += flat(
        [x, x + 0.2],
        0,
        [near, room.depth],
        random.chance(0.5) ? tint(color, random.between(0, 0.14)) : shade(color, random.between(0, 0.1)),
      )
      out += floorLine([x, 0, near], [x, 0, room.depth], seam, 1.1)
      for (let z = random.between(1.6, 2.6); z < room.depth; z += random.between(1.1, 1.8))
        out += floorLine([x, 0, z], [x + 0.2, 0, z], seam, 1.2)
    }
    return out + sheen
  }
  for (let x = -half; x <= half; x += 0.6) out += floorLine([x, 0, near], [x, 0, room.depth], seam, 1.3)
  for (let z = room.depth; z > near; z -= 0.6) out += floorLine([-half, 0, z], [half, 0, z], seam, 1.3)
  return out + sheen
}

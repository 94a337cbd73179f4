/**
 * One-point perspective in metres: faces and boxes to build drawn rooms and furniture from.
 */
import { ellipse, line, polygon, radial, strokeOpacity, vertical } from './draw-shapes.ts'
import { shade, type Sketch, tint } from './draw-sketch.ts'

/** Metres: x from the middle to the right, y up from the floor, z away from the eye. */
export type Point = readonly [x: number, y: number, z: number]

export const eye = { height: 1.42, x: 600, y: 372, focus: 800 } as const

/** Where a point of the room falls on the canvas. */
export function project([x, y, z]: Point): [number, number] {
  const scale = eye.focus / z
  return [eye.x + x * scale, eye.y - (y - eye.height) * scale]
}

/** A flat face through the points. */
export function face(points: readonly Point[], fill: string, more = ''): string {
  return polygon(points.flatMap(project), fill, more)
}

type Range = readonly [from: number, to: number]

/** A level face at height y. */
export function flat(x: Range, y: number, z: Range, fill: string, more = ''): string {
  return face(
    [
      [x[0], y, z[0]],
      [x[1], y, z[0]],
      [x[1], y, z[1]],
      [x[0], y, z[1]],
    ],
    fill,
    more,
  )
}

/** A face of a wall that runs away from the eye. */
export function side(x: number, y: Range, z: Range, fill: string, more = ''): string {
  return face(
    [
      [x, y[0], z[0]],
      [x, y[0], z[1]],
      [x, y[1], z[1]],
      [x, y[1], z[0]],
    ],
    fill,
    more,
  )
}

/** A face that looks at the eye. */
export function upright(x: Range, y: Range, z: number, fill: string, more = ''): string {
  return face(
    [
      [x[0], y[0], z],
      [x[1], y[0], z],
      [x[1], y[1], z],
      [x[0], y[1], z],
    ],
    fill,
    more,
  )
}

export type Box = { x: number; y: number; z: number; w: number; h: number; d: number }

/** The sides of a box that can be seen, lit from above. (x, y, z) is its near lower left corner. */
export function box(sketch: Sketch, { x, y, z, w, h, d }: Box, color: string, front?: string): string {
  const top = y + h
  const far = z + d
  let out = ''
  if (top < eye.height) out += flat([x, x + w], top, [z, far], tint(color, 0.22))
  if (y > eye.height) out += flat([x, x + w], y, [z, far], shade(color, 0.35))
  if (x > 0) out += side(x, [y, top], [z, far], shade(color, 0.2))
  if (x + w < 0) out += side(x + w, [y, top], [z, far], shade(color, 0.2))
  return (
    out + upright([x, x + w], [y, top], z, front ?? vertical(sketch, tint(color, 0.05), shade(color, 0.08)))
  )
}

/** The rectangle a box's front covers on the canvas, for what is drawn on it. */
export function frontOf({ x, y, z, w, h }: Omit<Box, 'd'>): {
  x: number
  y: number
  w: number
  h: number
  unit: number
} {
  const [left, top] = project([x, y + h, z])
  const unit = eye.focus / z
  return { x: left, y: top, w: w * unit, h: h * unit, unit }
}

/** A soft shadow on the floor under furniture. */
export function floorShadow(sketch: Sketch, x: number, z: number, w: number, d: number): string {
  const [cx, cy] = project([x + w / 2, 0, z + d / 2])
  const unit = eye.focus / (z + d / 2)
  return ellipse(
    cx,
    cy,
    w * unit * 0.62,
    Math.max(7, d * unit * 0.34),
    radial(sketch, ['#141a33', 0.42], ['#141a33', 0.3], ['#141a33', 0]),
  )
}

export function floorLine(from: Point, to: Point, color: string, width: number, strength = 0.5): string {
  const [x1, y1] = project(from)
  const [x2, y2] = project(to)
  return line(x1, y1, x2, y2, color, width, strokeOpacity(strength))
}

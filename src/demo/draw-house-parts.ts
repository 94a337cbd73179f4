/**
 * What every drawn house has: its ground, driveway and garden, chimney and garage door.
 */
import { grass, hedge, shrub } from './draw-plants.ts'
import { line, opacity, polygon, rect, repeat, vertical } from './draw-shapes.ts'
import { canvas, mix, shade, type Sketch, tint, tone } from './draw-sketch.ts'

export const ground = 610

export const plasters = ['#f2ece2', '#e9dfd0', '#f5e7d3', '#e3e6e4', '#efd9c6', '#dfe4dc'] as const

export function chimney(sketch: Sketch, x: number, y: number, w: number, h: number, wall: string): string {
  return (
    rect(x, y, w, h, vertical(sketch, tint(wall, 0.1), shade(wall, 0.1))) +
    rect(x + w * 0.62, y, w * 0.38, h, '#141a33', opacity(0.16)) +
    rect(x - 7, y - 10, w + 14, 13, shade(wall, 0.2))
  )
}

export function garageDoor(
  sketch: Sketch,
  x: number,
  y: number,
  w: number,
  h: number,
  color: string,
): string {
  return (
    rect(x - 6, y - 6, w + 12, h + 6, shade(color, 0.35)) +
    rect(x, y, w, h, vertical(sketch, color, tint(color, 0.12))) +
    repeat(Math.floor(h / 26), (index) =>
      line(x, y + (index + 1) * 26, x + w, y + (index + 1) * 26, shade(color, 0.35), 2),
    ) +
    rect(x, y, w, 12, '#141a33', opacity(0.3))
  )
}

/** Two paths to the foot of the picture: cars and people. */
export function driveway(
  sketch: Sketch,
  carLeft: number,
  carRight: number,
  walkLeft: number,
  walkRight: number,
): string {
  const stone = tone(sketch, '#cfc6b8')
  const fill = vertical(sketch, shade(stone, 0.12), tint(stone, 0.12))
  const strip = (left: number, right: number) =>
    polygon(
      [
        left,
        ground + 20,
        right,
        ground + 20,
        right + (right - 600) * 0.3 + 40,
        canvas.height,
        left + (left - 600) * 0.3 - 40,
        canvas.height,
      ],
      fill,
    )
  return strip(carLeft, carRight) + (walkLeft === carLeft ? '' : strip(walkLeft, walkRight))
}

export function garden(sketch: Sketch): string {
  const { random } = sketch
  const soft = tone(sketch, '#6e9650')
  const clump = (x: number) =>
    repeat(3, (index) =>
      shrub(
        sketch,
        x + index * 62 + random.between(-10, 10),
        690 + random.between(-8, 30),
        random.between(44, 76),
      ),
    )
  return (
    hedge(sketch, -20, 668, 190, 54) +
    hedge(sketch, 1035, 668, 190, 54) +
    clump(random.between(20, 70)) +
    clump(random.between(980, 1030)) +
    grass(sketch, 0, canvas.height, canvas.width, 46, mix(soft, '#2f4a2c', 0.25))
  )
}

/**
 * Shrubs, hedges, grass and plants in pots of the drawn pictures.
 */
import { ellipse, opacity, path, polygon, repeat } from './draw-shapes.ts'
import { mix, shade, type Sketch, tint, tone } from './draw-sketch.ts'
import { greens } from './draw-trees.ts'

/** A rounded shrub standing at (x, y). */
export function shrub(
  sketch: Sketch,
  x: number,
  y: number,
  size: number,
  leaf: string = sketch.random.pick(greens),
): string {
  const color = tone(sketch, leaf)
  const { random } = sketch
  const blossom = random.chance(0.4)
    ? tone(sketch, random.pick(['#e9a3b5', '#f2d479', '#f4f0ea', '#c79bd6']))
    : null
  const blobs = [
    [-0.55, 0.3],
    [0, 0.42],
    [0.55, 0.28],
  ] as const
  return (
    ellipse(x, y, size * 1.15, size * 0.14, '#1c2340', opacity(0.2)) +
    blobs
      .map(([dx, r]) =>
        ellipse(x + dx * size, y - size * r * 0.8, size * r * 1.35, size * r, shade(color, 0.26)),
      )
      .join('') +
    blobs
      .map(([dx, r]) =>
        ellipse(
          x + dx * size - size * 0.06,
          y - size * r * 0.98,
          size * r * 1.1,
          size * r * 0.78,
          tint(color, 0.08),
        ),
      )
      .join('') +
    repeat(7, () =>
      ellipse(
        x + random.between(-0.75, 0.6) * size,
        y - random.between(0.25, 0.65) * size,
        size * 0.06,
        size * 0.05,
        blossom ?? tint(color, 0.3),
        opacity(0.85),
      ),
    )
  )
}

/** A clipped hedge from x, `width` long, standing on y. */
export function hedge(sketch: Sketch, x: number, y: number, width: number, height: number): string {
  const leaf = tone(sketch, '#4f7d4c')
  const { random } = sketch
  const bumps = Math.max(2, Math.round(width / (height * 0.5)))
  const step = width / bumps
  const top = repeat(bumps, (index) => ` q${step / 2} ${-height * (0.1 + (index % 3) * 0.05)} ${step} 0`)
  return (
    path(`M${x} ${y} L${x} ${y - height} ${top} L${x + width} ${y} Z`, shade(leaf, 0.2)) +
    path(
      `M${x} ${y - height * 0.55} L${x} ${y - height} ${top} L${x + width} ${y - height * 0.55} Z`,
      tint(leaf, 0.06),
    ) +
    repeat(Math.round(width / 9), () =>
      ellipse(
        x + random.next() * width,
        y - height * random.between(0.12, 0.98),
        4.5,
        3,
        random.chance(0.5) ? tint(leaf, 0.24) : shade(leaf, 0.3),
        opacity(0.6),
      ),
    )
  )
}

/** Blades along a line, to end lawns and beds softly. */
export function grass(
  sketch: Sketch,
  x: number,
  y: number,
  width: number,
  height: number,
  color: string,
): string {
  const { random } = sketch
  return repeat(Math.round(width / 7), () => {
    const at = x + random.next() * width
    const h = height * random.between(0.5, 1)
    const lean = random.between(-0.4, 0.4) * h
    return path(
      `M${at - 1.6} ${y} Q${at} ${y - h * 0.6} ${at + lean} ${y - h} Q${at + 1} ${y - h * 0.5} ${at + 1.8} ${y} Z`,
      random.chance(0.5) ? color : mix(color, '#d7dd8f', 0.25),
    )
  })
}

/** A plant in a pot, for patios and rooms; (x, y) is the foot of the pot. */
export function potPlant(sketch: Sketch, x: number, y: number, size: number, pot = '#c47a55'): string {
  const leaf = sketch.random.pick(['#4d8256', '#5f9160', '#3f7458'])
  const leaves = repeat(9, (index) => {
    const angle = Math.PI * (1.08 + index * 0.105)
    const length = size * (0.62 + (index % 3) * 0.16)
    const tipX = x + Math.cos(angle) * length * 0.75
    const tipY = y - size * 0.36 + Math.sin(angle) * length
    const bend = Math.cos(angle) * size * 0.12
    return path(
      `M${x} ${y - size * 0.34} Q${(x + tipX) / 2 - size * 0.1 + bend} ${(y - size * 0.36 + tipY) / 2 - size * 0.08} ${tipX} ${tipY} Q${(x + tipX) / 2 + size * 0.1 + bend} ${(y - size * 0.36 + tipY) / 2 + size * 0.04} ${x} ${y - size * 0.34} Z`,
      [leaf, tint(leaf, 0.16), shade(leaf, 0.2)][index % 3] as string,
    )
  })
  const w = size * 0.24
  return (
    ellipse(x + size * 0.06, y, size * 0.32, size * 0.05, '#1c2340', opacity(0.2)) +
    leaves +
    polygon([x - w, y - size * 0.36, x + w, y - size * 0.36, x + w * 0.72, y, x - w * 0.72, y], pot) +
    polygon(
      [x + w * 0.3, y - size * 0.36, x + w, y - size * 0.36, x + w * 0.72, y, x + w * 0.2, y],
      shade(pot, 0.22),
    ) +
    polygon(
      [
        x - w * 1.1,
        y - size * 0.4,
        x + w * 1.1,
        y - size * 0.4,
        x + w * 1.06,
        y - size * 0.33,
        x - w * 1.06,
        y - size * 0.33,
      ],
      tint(pot, 0.12),
    )
  )
}

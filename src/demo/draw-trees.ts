/**
 * Trees of the drawn pictures: clusters of leaves in three tones, lit from the upper left.
 */
import { ellipse, line, opacity, path, repeat } from './draw-shapes.ts'
import { shade, type Sketch, tint, tone } from './draw-sketch.ts'

export const greens = ['#5f8f4e', '#4f8457', '#78985a', '#6b9a63', '#3f7558'] as const

export type TreeKind = 'round' | 'poplar' | 'pine' | 'palm' | 'jacaranda' | 'lapacho' | 'cypress'

export const cityTrees: readonly TreeKind[] = ['round', 'round', 'jacaranda', 'lapacho', 'poplar']

export const gardenTrees: readonly TreeKind[] = ['round', 'round', 'palm', 'pine', 'cypress', 'jacaranda']

/** A tree whose trunk stands at (x, y), `size` high. */
export function tree(sketch: Sketch, kind: TreeKind, x: number, y: number, size: number): string {
  const shadow = ellipse(x + size * 0.12, y + 2, size * 0.34, size * 0.045, '#1c2340', opacity(0.22))
  if (kind === 'poplar' || kind === 'cypress')
    return shadow + column(sketch, x, y, size, kind === 'cypress' ? 0.085 : 0.12)
  if (kind === 'pine') return shadow + pine(sketch, x, y, size)
  if (kind === 'palm') return shadow + palm(sketch, x, y, size)
  const leaf = kind === 'jacaranda' ? '#9a83c4' : kind === 'lapacho' ? '#dc8fae' : sketch.random.pick(greens)
  return (
    shadow + trunk(sketch, x, y, size) + canopy(sketch, x, y - size * 0.66, size * 0.34, tone(sketch, leaf))
  )
}

function trunk(sketch: Sketch, x: number, y: number, size: number): string {
  const bark = tone(sketch, '#6d5444')
  const w = size * 0.028
  const top = y - size * 0.55
  const branch = (to: number, height: number) =>
    path(
      `M${x - w * 0.5} ${y - size * 0.28} Q${x + to * 0.3} ${y - size * 0.42} ${x + to} ${y - size * height} L${x + to + w * 0.8} ${y - size * height} Q${x + to * 0.4 + w} ${y - size * 0.36} ${x + w * 0.6} ${y - size * 0.24} Z`,
      shade(bark, 0.12),
    )
  return (
    branch(-size * 0.13, 0.62) +
    branch(size * 0.12, 0.6) +
    path(
      `M${x - w * 1.5} ${y} Q${x - w * 0.6} ${y - size * 0.1} ${x - w * 0.6} ${top} L${x + w * 0.6} ${top} Q${x + w * 0.6} ${y - size * 0.1} ${x + w * 1.7} ${y} Z`,
      bark,
    ) +
    path(
      `M${x + w * 0.1} ${y} L${x + w * 0.1} ${top} L${x + w * 0.6} ${top} Q${x + w * 0.6} ${y - size * 0.1} ${x + w * 1.7} ${y} Z`,
      shade(bark, 0.3),
    )
  )
}

/** Round clumps of leaves: dark below, middle, and light where the sun falls. */
export function canopy(sketch: Sketch, x: number, y: number, radius: number, leaf: string): string {
  const { random } = sketch
  const clumps = Array.from({ length: 9 }, (_, index) => {
    const angle = (index / 9) * Math.PI * 2 + random.between(-0.25, 0.25)
    const far = radius * random.between(0.5, 0.68)
    return {
      x: x + Math.cos(angle) * far * 1.1,
      y: y + Math.sin(angle) * far * 0.82,
      r: radius * random.between(0.38, 0.52),
    }
  })
  clumps.push({ x, y, r: radius * 0.66 })
  const layer = (dx: number, dy: number, scale: number, fill: string) =>
    clumps
      .map((clump) =>
        ellipse(clump.x + radius * dx, clump.y + radius * dy, clump.r * scale, clump.r * scale * 0.94, fill),
      )
      .join('')
  const flecks = repeat(16, () => {
    const angle = random.between(0, Math.PI * 2)
    const far = radius * random.between(0.1, 0.85)
    return ellipse(
      x - radius * 0.18 + Math.cos(angle) * far,
      y - radius * 0.22 + Math.sin(angle) * far * 0.75,
      radius * random.between(0.05, 0.1),
      radius * random.between(0.035, 0.06),
      tint(leaf, 0.3),
      opacity(0.55),
    )
  })
  return (
    layer(0.05, 0.09, 1, shade(leaf, 0.32)) +
    layer(-0.02, -0.02, 0.92, shade(leaf, 0.08)) +
    layer(-0.12, -0.14, 0.66, tint(leaf, 0.14)) +
    flecks
  )
}

function column(sketch: Sketch, x: number, y: number, size: number, wide: number): string {
  const leaf = tone(sketch, wide < 0.1 ? '#3f6d52' : sketch.random.pick(['#7c9c55', '#6f9458', '#c9a24c']))
  const w = size * wide
  const body = (scale: number, dx: number) =>
    `M${x + dx} ${y - size} C${x + dx + w * scale * 0.9} ${y - size * 0.75} ${x + dx + w * scale * 1.1} ${y - size * 0.3} ${x + dx + w * scale * 0.35} ${y - size * 0.09} L${x + dx - w * scale * 0.35} ${y - size * 0.09} C${x + dx - w * scale * 1.1} ${y - size * 0.3} ${x + dx - w * scale * 0.9} ${y - size * 0.75} ${x + dx} ${y - size} Z`
  const strokes = repeat(9, (index) => {
    const at = y - size * (0.16 + index * 0.085)
    const side = index % 2 === 0 ? -1 : 1
    return path(
      `M${x + side * w * 0.05} ${at} q${side * w * 0.3} ${-size * 0.02} ${side * w * 0.34} ${-size * 0.09} q${-side * w * 0.22} ${size * 0.03} ${-side * w * 0.34} ${size * 0.09} Z`,
      side < 0 ? tint(leaf, 0.2) : shade(leaf, 0.16),
      opacity(0.7),
    )
  })
  return (
    line(x, y, x, y - size * 0.2, tone(sketch, '#6d5444'), w * 0.3) +
    path(body(1, 0), shade(leaf, 0.26)) +
    path(body(0.72, -w * 0.18), leaf) +
    strokes
  )
}

function pine(sketch: Sketch, x: number, y: number, size: number): string {
  const leaf = tone(sketch, sketch.random.pick(['#3d6b57', '#466f50', '#365f58']))
  const tiers = 6
  return (
    line(x, y, x, y - size * 0.3, tone(sketch, '#5d4638'), size * 0.04) +
    repeat(tiers, (index) => {
      const base = y - size * (0.1 + index * 0.135)
      const half = size * 0.23 * (1 - index / (tiers + 0.6))
      const top = base - size * 0.26
      return (
        path(
          `M${x} ${top} Q${x + half * 0.4} ${base - size * 0.08} ${x + half} ${base} Q${x + half * 0.5} ${base - size * 0.012} ${x + half * 0.3} ${base + size * 0.012} Q${x} ${base - size * 0.005} ${x - half * 0.3} ${base + size * 0.012} Q${x - half * 0.5} ${base - size * 0.012} ${x - half} ${base} Q${x - half * 0.4} ${base - size * 0.08} ${x} ${top} Z`,
          shade(leaf, 0.24 - index * 0.02),
        ) +
        path(
          `M${x} ${top} Q${x - half * 0.05} ${base - size * 0.06} ${x - half * 0.15} ${base} Q${x - half * 0.6} ${base - size * 0.012} ${x - half} ${base} Q${x - half * 0.4} ${base - size * 0.08} ${x} ${top} Z`,
          tint(leaf, 0.06 + index * 0.02),
        )
      )
    })
  )
}

function palm(sketch: Sketch, x: number, y: number, size: number): string {
  const leaf = tone(sketch, '#5c8f55')
  const top = y - size * 0.72
  const lean = size * sketch.random.between(-0.05, 0.05)
  const frond = (angle: number, fill: string) => {
    const length = size * 0.36
    const tipX = x + lean + Math.cos(angle) * length
    const tipY = top + Math.sin(angle) * length * 0.55 + size * 0.13
    const midX = x + lean + Math.cos(angle) * length * 0.55
    const midY = top + Math.sin(angle) * length * 0.5 - size * 0.1
    return path(
      `M${x + lean} ${top} Q${midX} ${midY - size * 0.035} ${tipX} ${tipY} Q${midX} ${midY + size * 0.05} ${x + lean} ${top} Z`,
      fill,
    )
  }
  return (
    path(
      `M${x - size * 0.025} ${y} Q${x + lean * 0.3 - size * 0.01} ${y - size * 0.4} ${x + lean - size * 0.012} ${top} L${x + lean + size * 0.012} ${top} Q${x + lean * 0.3 + size * 0.02} ${y - size * 0.4} ${x + size * 0.03} ${y} Z`,
      tone(sketch, '#8a705a'),
    ) +
    repeat(9, (index) => frond(Math.PI * (1 + index / 8), index % 2 === 0 ? leaf : shade(leaf, 0.18))) +
    repeat(5, (index) => frond(Math.PI * (0.08 + index * 0.21), shade(leaf, 0.28)))
  )
}

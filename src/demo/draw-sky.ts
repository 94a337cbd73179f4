/**
 * Sky, sun and clouds, mountains and hills behind the drawn buildings.
 */
import { ellipse, glow, group, opacity, path, polygon, rect, repeat, vertical } from './draw-shapes.ts'
import { canvas, mix, shade, type Sketch, tint, tone } from './draw-sketch.ts'

const { width, height } = canvas

/** Sky, sun and clouds over the whole canvas; the horizon's colour is reached at y = horizon. */
export function sky(sketch: Sketch, horizon: number): string {
  const { random, light } = sketch
  const [top, middle, bottom] = light.sky
  const sunX = random.between(120, width - 120)
  const low = light.hour === 'sunset' || light.hour === 'dusk'
  const sunY = low ? horizon - random.between(40, 120) : random.between(70, 200)
  const stars =
    light.hour === 'dusk'
      ? repeat(40, () =>
          ellipse(
            random.next() * width,
            random.next() * horizon * 0.5,
            1.2,
            1.2,
            '#ffffff',
            opacity(random.between(0.25, 0.8)),
          ),
        )
      : ''
  const clouds = repeat(random.whole(2, 4), () =>
    cloud(sketch, random.between(-60, width), random.between(50, horizon * 0.55), random.between(90, 210)),
  )
  return (
    rect(0, 0, width, height, bottom) +
    rect(0, 0, width, horizon, vertical(sketch, top, middle, bottom)) +
    stars +
    glow(sketch, sunX, sunY, low ? 420 : 300, light.sun, low ? 0.75 : 0.6) +
    (light.hour === 'sunset'
      ? ellipse(sunX, sunY, 34, 34, mix(light.sun, '#ffffff', 0.35), opacity(0.95))
      : '') +
    clouds
  )
}

function cloud(sketch: Sketch, x: number, y: number, size: number): string {
  const { random, light } = sketch
  const white = mix('#ffffff', light.sky[1], light.hour === 'dusk' ? 0.55 : 0.12)
  const puffs = repeat(6, (index) => {
    const r = size * (0.12 + 0.13 * Math.sin(((index + 0.7) / 6.4) * Math.PI)) * random.between(0.85, 1.15)
    return ellipse(x + index * size * 0.17, y - r * 0.72, r, r * 0.78, white)
  })
  const lower = path(
    `M${x - size * 0.2} ${y} Q${x + size * 0.4} ${y - size * 0.16} ${x + size * 1.1} ${y} Q${x + size * 0.45} ${y + size * 0.05} ${x - size * 0.2} ${y} Z`,
    white,
  )
  return group(puffs + lower, `opacity="${light.hour === 'dusk' ? 0.3 : 0.72}"`)
}

/** A jagged range, one flank of each peak in shade and, when high, snow on top. */
export function mountains(sketch: Sketch, base: number, rise: number, color: string, snow: boolean): string {
  const { random, light } = sketch
  const far = mix(tone(sketch, color), light.sky[1], 0.42)
  const peaks: { x: number; y: number }[] = []
  for (let x = -80; x < width + 200; x += random.between(110, 200))
    peaks.push({ x, y: base - rise * random.between(0.45, 1) })
  const valleys = peaks.slice(1).map((next, index) => {
    const peak = peaks[index] as { x: number; y: number }
    return {
      x: (peak.x + next.x) / 2 + random.between(-14, 14),
      y: Math.max(peak.y, next.y) + rise * random.between(0.12, 0.28),
    }
  })
  const outline = peaks.flatMap((peak, index) => [
    peak.x,
    peak.y,
    valleys[index]?.x ?? peak.x,
    valleys[index]?.y ?? peak.y,
  ])
  let out = polygon(
    [-100, base + 4, ...outline, width + 240, base + 4],
    vertical(sketch, far, mix(far, light.sky[2], 0.5)),
  )
  peaks.forEach((peak, index) => {
    const valley = valleys[index]
    if (valley === undefined) return
    const drop = base - peak.y
    const jag = random.between(0.02, 0.07)
    out += polygon(
      [
        peak.x,
        peak.y,
        valley.x,
        valley.y,
        valley.x + drop * 0.1,
        base,
        peak.x - drop * 0.06,
        base,
        peak.x + drop * jag,
        peak.y + drop * 0.72,
        peak.x - drop * 0.05,
        peak.y + drop * 0.5,
        peak.x + drop * jag,
        peak.y + drop * 0.26,
      ],
      vertical(sketch, [shade(far, 0.34), 0.62], [shade(far, 0.2), 0.05]),
    )
    if (!snow || drop < rise * 0.55) return
    const cap = 0.36
    const before = valleys[index - 1] ?? { x: peak.x - drop * 0.5, y: base }
    const on = (to: { x: number; y: number }, share: number) =>
      [peak.x + (to.x - peak.x) * share, peak.y + (to.y - peak.y) * share] as const
    const [leftX, leftY] = on(before, cap)
    const [rightX, rightY] = on(valley, cap)
    const low = Math.max(leftY, rightY)
    const white = mix('#ffffff', light.sky[2], 0.2)
    out += polygon(
      [
        peak.x,
        peak.y,
        rightX,
        rightY,
        peak.x + (rightX - peak.x) * 0.55,
        low - drop * 0.03,
        peak.x + (rightX - peak.x) * 0.25,
        low + drop * 0.05,
        peak.x - drop * 0.02,
        low - drop * 0.02,
        peak.x + (leftX - peak.x) * 0.4,
        low + drop * 0.04,
        peak.x + (leftX - peak.x) * 0.7,
        low - drop * 0.02,
        leftX,
        leftY,
      ],
      white,
    )
    out += polygon(
      [
        peak.x,
        peak.y,
        rightX,
        rightY,
        peak.x + (rightX - peak.x) * 0.55,
        low - drop * 0.03,
        peak.x + (rightX - peak.x) * 0.25,
        low + drop * 0.05,
        peak.x + drop * jag * 0.8,
        peak.y + drop * 0.14,
      ],
      shade(far, 0.05),
      opacity(0.55),
    )
  })
  return out
}

/** A soft hill line across the canvas; everything below it is filled. */
export function hill(sketch: Sketch, y: number, swing: number, color: string, haze = 0): string {
  const { random, light } = sketch
  const fill = mix(tone(sketch, color), light.sky[2], haze)
  let d = `M-20 ${y + random.between(-swing, swing)}`
  for (let x = -20; x < width + 40; x += 310)
    d += ` q${155} ${random.between(-swing, swing)} ${310} ${random.between(-swing, swing) * 0.4}`
  return path(
    `${d} L${width + 60} ${height} L-20 ${height} Z`,
    vertical(sketch, tint(fill, 0.12), fill, shade(fill, 0.1)),
  )
}

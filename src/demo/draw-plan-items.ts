/**
 * The furniture of floor plans, as outlines.
 */
import { ellipse, rect, repeat } from './draw-shapes.ts'
import { mix, shade, type Sketch, tint } from './draw-sketch.ts'

export type Area = { x: number; y: number; w: number; h: number }

export const palettes = [
  {
    paper: '#f7f3ea',
    ink: '#3a3f4a',
    day: '#f0dfc2',
    night: '#dbe5ea',
    wet: '#cfe4e1',
    out: '#d9e4c4',
    accent: '#c8714f',
  },
  {
    paper: '#f3f5f4',
    ink: '#33475b',
    day: '#f4e6cf',
    night: '#e3def0',
    wet: '#d2e6ee',
    out: '#dbe8cd',
    accent: '#3f7f80',
  },
  {
    paper: '#f6f0ec',
    ink: '#4a3f3c',
    day: '#f1d9c8',
    night: '#e6e2d3',
    wet: '#cddfe2',
    out: '#d5e0c2',
    accent: '#7c5a8c',
  },
] as const

export type Palette = (typeof palettes)[number]

/** An outline on white, as furniture is drawn in plans. */
function item(
  x: number,
  y: number,
  w: number,
  h: number,
  colors: Palette,
  fill = '#ffffff',
  radius = 4,
): string {
  return rect(
    x,
    y,
    w,
    h,
    fill,
    `rx="${radius}" stroke="${mix(colors.ink, '#ffffff', 0.25)}" stroke-width="2"`,
  )
}

export function kitchenUnits({ x, y, w, h }: Area, colors: Palette): string {
  return (
    item(x + 8, y + 8, w - 16, 42, colors, '#ffffff', 2) +
    item(x + 8, y + 50, 42, h - 92, colors, '#ffffff', 2) +
    item(x + w * 0.4, y + 15, 58, 28, colors, tint(colors.wet, 0.2), 6) +
    repeat(4, (index) =>
      ellipse(
        x + w * 0.76 + (index % 2) * 22,
        y + 19 + Math.floor(index / 2) * 20,
        7,
        7,
        'none',
        `stroke="${colors.ink}" stroke-width="2"`,
      ),
    ) +
    item(x + w * 0.44, y + h * 0.52, w * 0.4, h * 0.24, colors, tint(colors.accent, 0.72)) +
    repeat(3, (index) =>
      ellipse(
        x + w * 0.5 + index * w * 0.14,
        y + h * 0.84,
        11,
        11,
        '#ffffff',
        `stroke="${colors.ink}" stroke-width="2"`,
      ),
    )
  )
}

export function livingSet(sketch: Sketch, { x, y, w, h }: Area, colors: Palette): string {
  const rug = tint(colors.accent, 0.6)
  const chairs = (cx: number, cy: number) =>
    repeat(6, (index) =>
      item(cx - 54 + (index % 3) * 42, cy - 48 + Math.floor(index / 3) * 78, 26, 20, colors, '#ffffff', 6),
    )
  const tableX = x + w * sketch.random.between(0.74, 0.78)
  const tableY = y + h * 0.46
  return (
    rect(x + w * 0.12, y + h * 0.26, w * 0.36, h * 0.52, rug, 'rx="6"') +
    item(x + 16, y + h * 0.24, 56, h * 0.54, colors, tint(colors.accent, 0.75), 10) +
    repeat(3, (index) =>
      item(x + 32, y + h * (0.26 + index * 0.17), 38, h * 0.16, colors, tint(colors.accent, 0.55), 8),
    ) +
    item(x + w * 0.24, y + h * 0.4, 52, h * 0.26, colors) +
    item(x + w * 0.5, y + h * 0.42, 14, h * 0.24, colors, colors.ink, 2) +
    chairs(tableX, tableY) +
    item(tableX - 66, tableY - 26, 132, 54, colors, tint('#c99f70', 0.4), 8) +
    ellipse(x + w - 34, y + h - 34, 20, 20, '#9db982') +
    ellipse(x + w - 34, y + h - 34, 12, 12, '#7fa166')
  )
}

export function bathSet({ x, y, w, h }: Area, colors: Palette): string {
  return (
    item(x + 10, y + 10, 50, h - 20, colors, '#ffffff', 18) +
    item(x + 17, y + 18, 36, h - 36, colors, tint(colors.wet, 0.3), 16) +
    item(x + w - 70, y + 10, 56, 30, colors) +
    ellipse(x + w - 42, y + 25, 15, 9, tint(colors.wet, 0.2), `stroke="${colors.ink}" stroke-width="2"`) +
    ellipse(x + w * 0.62, y + 38, 15, 20, '#ffffff', `stroke="${colors.ink}" stroke-width="2"`) +
    item(x + w * 0.62 - 17, y + 9, 34, 13, colors)
  )
}

export function bedSet({ x, y, w, h }: Area, colors: Palette, head: boolean): string {
  const bw = Math.min(140, w * 0.5)
  const bh = Math.min(150, h * 0.62)
  const bx = x + (w - bw) / 2
  const by = head ? y + 10 : y + h - bh - 10
  const pillowY = head ? by + 8 : by + bh - 34
  const blanketY = head ? by + bh * 0.4 : by
  return (
    item(bx, by, bw, bh, colors) +
    item(bx + 8, pillowY, bw / 2 - 12, 26, colors, tint(colors.night, 0.3), 6) +
    item(bx + bw / 2 + 4, pillowY, bw / 2 - 12, 26, colors, tint(colors.night, 0.3), 6) +
    item(bx, blanketY, bw, bh * 0.6, colors, tint(colors.accent, 0.62)) +
    item(bx - 36, head ? by : by + bh - 32, 30, 30, colors) +
    item(bx + bw + 6, head ? by : by + bh - 32, 30, 30, colors) +
    item(x + w - 26, y + h * 0.2, 20, h * 0.46, colors, shade(colors.night, 0.05), 2)
  )
}

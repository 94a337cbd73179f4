/**
 * Warehouses, seen from the street.
 */
import { finish, skyline, street } from './draw-ground.ts'
import { cladding, flipped } from './draw-parts.ts'
import { shrub } from './draw-plants.ts'
import { accents } from './draw-room.ts'
import {
  ellipse,
  glow,
  line,
  opacity,
  path,
  polygon,
  rect,
  repeat,
  strokeOpacity,
  vertical,
} from './draw-shapes.ts'
import { shade, type Sketch, tint, tone } from './draw-sketch.ts'
import { hill, sky } from './draw-sky.ts'
import { tree } from './draw-trees.ts'
import { window } from './draw-windows.ts'

const ground = 650

/** A shed with gates for lorries, under an arched, gabled or saw-toothed roof. */
export function warehouse(sketch: Sketch): string {
  const { random } = sketch
  const metal = tone(sketch, random.pick(['#c3cbd0', '#b6c4bd', '#d5cfc4', '#aebcc9']))
  const trim = tone(sketch, random.pick(['#2f5d7c', '#b5533c', '#3f6b52', '#d0953c', '#4a5058']))
  const [x, w] = [120, 960]
  const eaves = 330
  const roof = random.pick(['arch', 'gable', 'saw'])
  return (
    sky(sketch, ground) +
    (random.chance(0.5) ? skyline(sketch, ground, 190, 0.55) : hill(sketch, 560, 20, '#8fae7e', 0.4)) +
    repeat(3, (index) =>
      tree(
        sketch,
        random.pick(['round', 'poplar', 'round']),
        40 + index * 560,
        ground + 4,
        random.between(260, 360),
      ),
    ) +
    flipped(
      roofOf(sketch, roof, x, w, eaves, metal, trim) +
        corrugated(sketch, x, eaves, w, ground - eaves, metal) +
        rect(x, eaves - 4, w, 16, trim) +
        rect(x, eaves + 12, w, 14, '#141a33', opacity(0.2)) +
        repeat(6, (index) =>
          window(sketch, x + 44 + index * ((w - 88 - 92) / 5), eaves + 42, 92, 34, {
            panes: 4,
            frame: '#4d545b',
            sill: false,
          }),
        ) +
        gate(sketch, x + 70, ground - 196, 220, 196, trim) +
        gate(sketch, x + 344, ground - 196, 220, 196, trim) +
        office(sketch, x + 640, trim) +
        rect(x - 6, ground - 22, w + 12, 24, shade(metal, 0.4)) +
        street(sketch, ground, 54) +
        shrub(sketch, x + 606, ground + 4, 34) +
        shrub(sketch, x + w + 30, ground + 4, 52) +
        (random.chance(0.7)
          ? truck(sketch, random.between(430, 560), 772, tone(sketch, random.pick(accents)))
          : ''),
      random.chance(0.5),
    ) +
    finish(sketch)
  )
}

function corrugated(sketch: Sketch, x: number, y: number, w: number, h: number, metal: string): string {
  return (
    rect(x, y, w, h, vertical(sketch, tint(metal, 0.16), metal, shade(metal, 0.08))) +
    repeat(
      Math.floor(w / 15),
      (index) =>
        rect(x + index * 15, y, 5, h, shade(metal, 0.16), opacity(0.55)) +
        rect(x + 7 + index * 15, y, 2.4, h, '#ffffff', opacity(0.3)),
    )
  )
}

function roofOf(
  sketch: Sketch,
  kind: string,
  x: number,
  w: number,
  y: number,
  metal: string,
  trim: string,
): string {
  const sheet = vertical(sketch, tint(metal, 0.4), metal)
  if (kind === 'arch') {
    const arch = (grow: number) =>
      `M${x - 14 - grow} ${y + 4} Q${x + w / 2} ${y - 330 - grow * 2} ${x + w + 14 + grow} ${y + 4} Z`
    return (
      path(arch(9), trim) +
      path(arch(0), sheet) +
      repeat(9, (index) =>
        line(
          x + w * (0.14 + index * 0.09),
          y,
          x + w * (0.14 + index * 0.09),
          y - Math.sin((0.14 + index * 0.09) * Math.PI) * 158,
          shade(metal, 0.2),
          2.5,
          strokeOpacity(0.5),
        ),
      ) +
      ellipse(x + w / 2, y - 70, 42, 42, trim) +
      ellipse(x + w / 2, y - 70, 34, 34, shade(metal, 0.5))
    )
  }
  if (kind === 'gable') {
    return (
      polygon([x - 22, y + 6, x + w / 2, y - 172, x + w + 22, y + 6], trim) +
      polygon([x, y + 4, x + w / 2, y - 152, x + w, y + 4], sheet) +
      repeat(13, (index) =>
        line(
          x + w * (0.08 + index * 0.07),
          y + 2,
          x + w * (0.08 + index * 0.07),
          y - 150 * (1 - Math.abs(0.5 - (0.08 + index * 0.07)) * 2),
          shade(metal, 0.2),
          2.5,
          strokeOpacity(0.5),
        ),
      ) +
      rect(x + w / 2 - 46, y - 84, 92, 46, shade(metal, 0.5)) +
      repeat(5, (slat) => rect(x + w / 2 - 46, y - 82 + slat * 9, 92, 4, metal))
    )
  }
  const tooth = w / 4
  return repeat(4, (index) => {
    const left = x + index * tooth
    return (
      polygon([left, y + 4, left, y - 118, left + tooth, y - 14, left + tooth, y + 4], sheet) +
      polygon(
        [left - 4, y - 126, left + tooth + 2, y - 20, left + tooth + 2, y - 8, left - 4, y - 112],
        trim,
      ) +
      rect(left, y - 108, 26, 100, vertical(sketch, '#a9c6d6', '#6b879a')) +
      repeat(3, (bar) => line(left, y - 84 + bar * 25, left + 26, y - 84 + bar * 25, '#f1efe9', 2))
    )
  })
}

function gate(sketch: Sketch, x: number, y: number, w: number, h: number, trim: string): string {
  const { random } = sketch
  const open = random.chance(0.3)
  const slats = open ? 4 : Math.floor(h / 15)
  return (
    rect(x - 10, y - 12, w + 20, h + 12, shade(trim, 0.16)) +
    rect(x, y, w, h, vertical(sketch, '#1f2530', '#474a50')) +
    (open
      ? repeat(3, (index) =>
          rect(
            x + 20 + index * 62,
            y + h - 50 - (index % 2) * 26,
            54,
            50 + (index % 2) * 26,
            shade('#b98d5c', 0.25 + index * 0.08),
          ),
        ) + glow(sketch, x + w / 2, y + h * 0.4, 110, '#ffe2a8', 0.35)
      : '') +
    repeat(slats, (index) =>
      rect(x, y + index * 15, w, 13, vertical(sketch, tint(trim, 0.26), tint(trim, 0.06))),
    ) +
    rect(x - 16, y + h - 34, 10, 34, '#e0b23f') +
    rect(x + w + 6, y + h - 34, 10, 34, '#e0b23f')
  )
}

function office(sketch: Sketch, x: number, trim: string): string {
  return (
    cladding(sketch, x, ground - 206, 290, 206, 'brick', '#b9795c') +
    rect(x - 10, ground - 216, 310, 16, trim) +
    window(sketch, x + 24, ground - 164, 128, 86, { panes: 3, frame: '#f1ede5' }) +
    rect(x + 188, ground - 158, 76, 158, '#f1ede5') +
    rect(x + 195, ground - 151, 62, 151, vertical(sketch, tone(sketch, '#9db6c4'), tone(sketch, '#54697a'))) +
    rect(x + 224, ground - 151, 4, 151, '#f1ede5') +
    polygon(
      [x + 172, ground - 176, x + 280, ground - 176, x + 290, ground - 164, x + 162, ground - 164],
      trim,
    )
  )
}

function truck(sketch: Sketch, x: number, y: number, color: string): string {
  const white = tone(sketch, '#f1efea')
  const wheel = (at: number) =>
    ellipse(x + at, y - 16, 21, 21, '#23262c') + ellipse(x + at, y - 16, 11, 11, '#b9bec4')
  return (
    ellipse(x + 170, y + 4, 190, 10, '#141a33', opacity(0.32)) +
    rect(x + 104, y - 152, 240, 130, vertical(sketch, tint(white, 0.3), shade(white, 0.1))) +
    rect(x + 104, y - 92, 240, 26, color) +
    path(
      `M${x} ${y - 22} V${y - 66} L${x + 22} ${y - 112} Q${x + 26} ${y - 120} ${x + 38} ${y - 120} H${x + 96} V${y - 22} Z`,
      vertical(sketch, tint(color, 0.24), shade(color, 0.16)),
    ) +
    polygon(
      [x + 14, y - 68, x + 32, y - 108, x + 74, y - 108, x + 74, y - 68],
      vertical(sketch, '#b5cbd6', '#5a7183'),
    ) +
    rect(x - 4, y - 34, 352, 13, '#3a3f46') +
    ellipse(x + 6, y - 46, 6, 8, '#fff3c9') +
    wheel(52) +
    wheel(252) +
    wheel(304)
  )
}

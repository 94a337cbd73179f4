/**
 * Floor plans without letters: rooms, walls, doors and windows from above.
 */
import { flipped } from './draw-parts.ts'
import {
  type Area,
  bathSet,
  bedSet,
  kitchenUnits,
  livingSet,
  type Palette,
  palettes,
} from './draw-plan-items.ts'
import { ellipse, group, line, path, polygon, rect, repeat } from './draw-shapes.ts'
import { canvas, mix, shade, type Sketch, tint } from './draw-sketch.ts'

/** The plan of a flat of two to four rooms with a balcony. */
export function plan(sketch: Sketch): string {
  const { random } = sketch
  const colors = random.pick(palettes)
  const outer = {
    x: random.between(170, 210),
    y: random.between(120, 150),
    w: random.between(780, 840),
    h: random.between(500, 540),
  }
  const social = outer.w * random.between(0.46, 0.54)
  const kitchenHeight = outer.h * random.between(0.36, 0.44)
  const bedroomCount = random.whole(2, 3)
  const hall = 76
  const right = outer.x + social
  const night = outer.w - social
  const kitchen: Area = { x: outer.x, y: outer.y, w: social * random.between(0.56, 0.66), h: kitchenHeight }
  const entry: Area = { x: kitchen.x + kitchen.w, y: outer.y, w: social - kitchen.w, h: kitchenHeight }
  const livingArea: Area = { x: outer.x, y: outer.y + kitchenHeight, w: social, h: outer.h - kitchenHeight }
  const bath: Area = { x: right, y: outer.y, w: night * 0.44, h: kitchenHeight - hall * 0.5 }
  const first: Area = { x: right + bath.w, y: outer.y, w: night - bath.w, h: bath.h }
  const corridor: Area = { x: right, y: outer.y + bath.h, w: night, h: hall }
  const rest = outer.y + outer.h - corridor.y - hall
  const bedrooms: Area[] =
    bedroomCount === 2
      ? [{ x: right, y: corridor.y + hall, w: night, h: rest }]
      : [
          { x: right, y: corridor.y + hall, w: night * 0.5, h: rest },
          { x: right + night * 0.5, y: corridor.y + hall, w: night * 0.5, h: rest },
        ]
  const terrace: Area = { x: outer.x + 30, y: outer.y + outer.h, w: social - 60, h: 78 }
  const rooms = [kitchen, entry, livingArea, bath, first, corridor, ...bedrooms]
  return (
    rect(0, 0, canvas.width, canvas.height, colors.paper) +
    grid(colors) +
    flipped(
      rect(outer.x + 12, outer.y + 16, outer.w, outer.h, shade(colors.paper, 0.16)) +
        floor(terrace, colors.out) +
        terraceBoards(terrace, colors) +
        floor(kitchen, colors.wet) +
        floor(entry, colors.day) +
        floor(livingArea, colors.day) +
        floor(bath, colors.wet) +
        floor(first, colors.night) +
        floor(corridor, colors.day) +
        bedrooms.map((area) => floor(area, colors.night)).join('') +
        parquet(livingArea, colors) +
        tiling(kitchen, colors) +
        tiling(bath, colors) +
        kitchenUnits(kitchen, colors) +
        livingSet(sketch, livingArea, colors) +
        bathSet(bath, colors) +
        [first, ...bedrooms].map((area, index) => bedSet(area, colors, index === 0)).join('') +
        wallsOf(rooms, terrace, colors) +
        openings(kitchen, entry, livingArea, bath, first, corridor, bedrooms, terrace, colors),
      random.chance(0.5),
    ) +
    compass(sketch, colors) +
    scale(colors)
  )
}

function grid(colors: Palette): string {
  const ink = mix(colors.paper, colors.ink, 0.06)
  return (
    repeat(30, (index) => line(index * 40 + 20, 0, index * 40 + 20, canvas.height, ink, 1)) +
    repeat(20, (index) => line(0, index * 40 + 20, canvas.width, index * 40 + 20, ink, 1))
  )
}

const floor = ({ x, y, w, h }: Area, fill: string): string => rect(x, y, w, h, fill)

function parquet({ x, y, w, h }: Area, colors: Palette): string {
  return repeat(
    Math.floor(h / 18),
    (row) =>
      line(x, y + row * 18, x + w, y + row * 18, shade(colors.day, 0.1), 1) +
      repeat(Math.floor(w / 90), (column) =>
        line(
          x + column * 90 + (row % 2) * 45,
          y + row * 18,
          x + column * 90 + (row % 2) * 45,
          y + row * 18 + 18,
          shade(colors.day, 0.1),
          1,
        ),
      ),
  )
}

function tiling({ x, y, w, h }: Area, colors: Palette): string {
  const ink = shade(colors.wet, 0.12)
  return (
    repeat(Math.floor(w / 26), (index) => line(x + index * 26, y, x + index * 26, y + h, ink, 1)) +
    repeat(Math.floor(h / 26), (index) => line(x, y + index * 26, x + w, y + index * 26, ink, 1))
  )
}

function terraceBoards({ x, y, w, h }: Area, colors: Palette): string {
  return (
    repeat(Math.floor(w / 16), (index) =>
      line(x + index * 16, y, x + index * 16, y + h, shade(colors.out, 0.14), 1),
    ) +
    rect(x, y, w, h, 'none', `stroke="${colors.ink}" stroke-width="4"`) +
    ellipse(x + w * 0.18, y + h * 0.55, 20, 20, '#9db982') +
    ellipse(x + w * 0.18, y + h * 0.55, 12, 12, '#86a86b') +
    ellipse(x + w * 0.62, y + h * 0.55, 18, 18, '#ffffff', `stroke="${colors.ink}" stroke-width="2"`)
  )
}

function wallsOf(rooms: readonly Area[], terrace: Area, colors: Palette): string {
  const lines = rooms
    .map(({ x, y, w, h }) => rect(x, y, w, h, 'none', `stroke="${colors.ink}" stroke-width="8"`))
    .join('')
  const left = Math.min(...rooms.map((area) => area.x))
  const top = Math.min(...rooms.map((area) => area.y))
  const right = Math.max(...rooms.map((area) => area.x + area.w))
  return (
    lines +
    rect(
      left,
      top,
      right - left,
      terrace.y - top,
      'none',
      `stroke="${colors.ink}" stroke-width="14" stroke-linejoin="miter"`,
    )
  )
}

/** Doors swing, windows are white in the wall. */
function openings(
  kitchen: Area,
  entry: Area,
  living: Area,
  bath: Area,
  first: Area,
  corridor: Area,
  bedrooms: readonly Area[],
  terrace: Area,
  colors: Palette,
): string {
  const size = 54
  const swing = (x: number, y: number, along: 'h' | 'v', turn: 1 | -1, back: string) =>
    along === 'h'
      ? rect(x, y - 8, size, 16, back) +
        path(
          `M${x} ${y} V${y + turn * size} A${size} ${size} 0 0 ${turn === 1 ? 0 : 1} ${x + size} ${y}`,
          'none',
          `stroke="${colors.ink}" stroke-width="2"`,
        ) +
        line(x, y, x, y + turn * size, colors.ink, 4)
      : rect(x - 8, y, 16, size, back) +
        path(
          `M${x} ${y} H${x + turn * size} A${size} ${size} 0 0 ${turn === 1 ? 1 : 0} ${x} ${y + size}`,
          'none',
          `stroke="${colors.ink}" stroke-width="2"`,
        ) +
        line(x, y, x + turn * size, y, colors.ink, 4)
  const pane = (x: number, y: number, w: number, h: number) =>
    rect(x, y, w, h, '#ffffff', `stroke="${colors.ink}" stroke-width="2"`) +
    (w > h
      ? line(x, y + h / 2, x + w, y + h / 2, colors.ink, 1.5)
      : line(x + w / 2, y, x + w / 2, y + h, colors.ink, 1.5))
  const gap = (x: number, y: number, w: number, h: number, fill: string) => rect(x, y, w, h, fill)
  const far = first.x + first.w
  return (
    swing(entry.x + entry.w * 0.34, entry.y, 'h', 1, colors.day) +
    gap(entry.x + 14, entry.y + entry.h - 8, entry.w - 28, 16, colors.day) +
    gap(kitchen.x + kitchen.w * 0.52, kitchen.y + kitchen.h - 6, kitchen.w * 0.4, 12, colors.day) +
    gap(corridor.x - 6, corridor.y + 10, 12, corridor.h - 20, colors.day) +
    swing(bath.x + bath.w - size - 14, bath.y + bath.h, 'h', -1, colors.day) +
    swing(first.x + 14, first.y + first.h, 'h', -1, colors.day) +
    bedrooms.map((area) => swing(area.x + 16, area.y, 'h', 1, colors.day)).join('') +
    pane(kitchen.x + kitchen.w * 0.3, kitchen.y - 7, kitchen.w * 0.42, 14) +
    pane(bath.x + bath.w * 0.36, bath.y - 7, bath.w * 0.3, 14) +
    pane(far - 7, first.y + first.h * 0.25, 14, first.h * 0.5) +
    bedrooms.map((area) => pane(area.x + area.w * 0.25, area.y + area.h - 7, area.w * 0.5, 14)).join('') +
    pane(terrace.x + terrace.w * 0.18, terrace.y - 7, terrace.w * 0.64, 14) +
    pane(living.x - 7, living.y + living.h * 0.3, 14, living.h * 0.4)
  )
}

function compass(sketch: Sketch, colors: Palette): string {
  const turn = Math.round(sketch.random.between(-40, 40))
  const needle =
    polygon([0, -44, 13, 6, 0, -2], colors.accent) +
    polygon([0, -44, -13, 6, 0, -2], shade(colors.accent, 0.3)) +
    polygon([0, 34, 9, -2, 0, 4, -9, -2], mix(colors.ink, colors.paper, 0.5))
  return group(
    ellipse(0, 0, 52, 52, tint(colors.paper, 0.6), `stroke="${colors.ink}" stroke-width="2.5"`) + needle,
    `transform="translate(1100 120) rotate(${turn})"`,
  )
}

function scale(colors: Palette): string {
  return repeat(4, (index) =>
    rect(
      1000 + index * 40,
      748,
      40,
      10,
      index % 2 === 0 ? colors.ink : colors.paper,
      `stroke="${colors.ink}" stroke-width="2"`,
    ),
  )
}

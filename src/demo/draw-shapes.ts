/**
 * SVG shapes, gradients and clips as text. No letters: the renderer may have no font.
 */
import { type Sketch } from './draw-sketch.ts'

const n = (value: number): string => String(Math.round(value * 10) / 10)

export function rect(x: number, y: number, width: number, height: number, fill: string, more = ''): string {
  return `<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" fill="${fill}" ${more}/>`
}

/** Many rectangles of one colour as one shape, which draws much faster. */
export function rects(
  list: readonly (readonly [x: number, y: number, width: number, height: number])[],
  fill: string,
  more = '',
): string {
  const d = list
    .map(([x, y, width, height]) => `M${n(x)} ${n(y)}h${n(width)}v${n(height)}h${n(-width)}z`)
    .join('')
  return d === '' ? '' : `<path d="${d}" fill="${fill}" ${more}/>`
}

/** Many ellipses of one colour as one shape. */
export function ellipses(
  list: readonly (readonly [x: number, y: number, rx: number, ry: number])[],
  fill: string,
  more = '',
): string {
  const d = list
    .map(([x, y, rx, ry]) => {
      const half = `a${n(rx)} ${n(ry)} 0 0 1`
      return `M${n(x - rx)} ${n(y)}${half} ${n(rx * 2)} 0${half} ${n(-rx * 2)} 0z`
    })
    .join('')
  return d === '' ? '' : `<path d="${d}" fill="${fill}" ${more}/>`
}

/** @param points x, y, x, y … */
export function polygon(points: readonly number[], fill: string, more = ''): string {
  return `<polygon points="${points.map(n).join(' ')}" fill="${fill}" ${more}/>`
}

export function path(d: string, fill: string, more = ''): string {
  return `<path d="${d.replaceAll(/-?\d+\.\d+/g, (number) => n(Number(number)))}" fill="${fill}" ${more}/>`
}

export function ellipse(x: number, y: number, rx: number, ry: number, fill: string, more = ''): string {
  return `<ellipse cx="${n(x)}" cy="${n(y)}" rx="${n(rx)}" ry="${n(ry)}" fill="${fill}" ${more}/>`
}

export function line(
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  stroke: string,
  width: number,
  more = '',
): string {
  return `<line x1="${n(x1)}" y1="${n(y1)}" x2="${n(x2)}" y2="${n(y2)}" stroke="${stroke}" stroke-width="${n(width)}" ${more}/>`
}

export function group(content: string, more: string): string {
  return `<g ${more}>${content}</g>`
}

/** Of one shape. Not the attribute `opacity`, for which the renderer makes a layer as large as the picture. */
export const opacity = (share: number): string => `fill-opacity="${Math.round(share * 1000) / 1000}"`

export const strokeOpacity = (share: number): string => `stroke-opacity="${Math.round(share * 1000) / 1000}"`

/** As many as wanted, joined. */
export function repeat(count: number, draw: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => draw(index)).join('')
}

/** A colour, or a colour with an opacity. */
export type Stop = string | readonly [color: string, opacity: number]

function stops(list: readonly Stop[]): string {
  return list
    .map((stop, index) => {
      const [color, alpha] = typeof stop === 'string' ? [stop, 1] : stop
      return `<stop offset="${n((index / (list.length - 1)) * 100)}%" stop-color="${color}" stop-opacity="${alpha}"/>`
    })
    .join('')
}

function define(sketch: Sketch, element: (id: string) => string): string {
  // Windows and bricks ask for the same paint again and again.
  const key = element('')
  const known = sketch.defs.get(key)
  const id = known?.id ?? `d${sketch.defs.size}`
  if (known === undefined) sketch.defs.set(key, { id, element: element(id) })
  return `url(#${id})`
}

export function vertical(sketch: Sketch, ...list: Stop[]): string {
  return define(
    sketch,
    (id) => `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${stops(list)}</linearGradient>`,
  )
}

export function horizontal(sketch: Sketch, ...list: Stop[]): string {
  return define(sketch, (id) => `<linearGradient id="${id}">${stops(list)}</linearGradient>`)
}

export function diagonal(sketch: Sketch, ...list: Stop[]): string {
  return define(
    sketch,
    (id) => `<linearGradient id="${id}" x1="0" y1="0" x2="1" y2="1">${stops(list)}</linearGradient>`,
  )
}

/** From the middle outwards. */
export function radial(sketch: Sketch, ...list: Stop[]): string {
  return define(sketch, (id) => `<radialGradient id="${id}">${stops(list)}</radialGradient>`)
}

/** An attribute that keeps a group inside a shape. */
export function clip(sketch: Sketch, shape: string): string {
  return `clip-path="${define(sketch, (id) => `<clipPath id="${id}">${shape}</clipPath>`)}"`
}

/** Light that fades out from a point. */
export function glow(
  sketch: Sketch,
  x: number,
  y: number,
  radius: number,
  color: string,
  strength: number,
): string {
  return ellipse(
    x,
    y,
    radius,
    radius,
    radial(sketch, [color, strength], [color, strength * 0.35], [color, 0]),
  )
}

/**
 * Shades of an agency's colour that are readable on every background of the pages, light and dark. Each colour has a small stylesheet,
 * because the policy of the pages allows no inline style.
 */
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../errors/errors.ts'
import { boundedMap } from '../../memory/bounded-map.ts'
import { hashedName } from '../assets.ts'
import { colour } from './design.ts'

type Rgb = readonly [red: number, green: number, blue: number]

/** Values of the design's tokens, `#rrggbb`. */
type Shades = Readonly<{ accent: string; accentStrong: string; accentSoft: string; onAccent: string }>

export const schemes = ['light', 'dark'] as const
export type Scheme = (typeof schemes)[number]

/** The colour to mix in, which makes another one more readable. */
const towards: Readonly<Record<Scheme, Rgb>> = { light: [0, 0, 0], dark: [255, 255, 255] }
/** WCAG 2.2, 1.4.3 requires 4.5; the rest covers rounding. */
const readable = 4.55
const step = 0.02
const known = boundedMap<string, Readonly<Record<Scheme, Shades>>>({ max: 1_000 })

/** @param accent `#rrggbb` */
export function shadesOf(accent: string): Readonly<Record<Scheme, Shades>> {
  const made = known.get(accent) ?? { light: makeShades(accent, 'light'), dark: makeShades(accent, 'dark') }
  known.set(accent, made)
  return made
}

/** The path of the colour's stylesheet, with a hash because the shades depend on the design. @param accent `#rrggbb` */
export function accentPath(accent: string): string {
  return `/site/accent/${hashedName(`${accent.slice(1)}.css`, Buffer.from(accentStyle(accent)))}`
}

function accentStyle(accent: string): string {
  const tokens = (scheme: Scheme) => {
    const shades = shadesOf(accent)[scheme]
    return `:root{--accent:${shades.accent};--accent-strong:${shades.accentStrong};--accent-soft:${shades.accentSoft};--on-accent:${shades.onAccent};--ring:0 0 0 3px ${shades.accent}52}`
  }
  return `${tokens('light')}@media (prefers-color-scheme:dark){${tokens('dark')}}\n`
}

export function registerAccents(app: FastifyInstance): void {
  app.get<{ Params: { file: string } }>('/site/accent/:file', async (request, reply) => {
    const { file } = request.params
    const accent = `#${file.slice(0, 6)}`
    if (!/^#[0-9a-f]{6}$/.test(accent) || accentPath(accent) !== `/site/accent/${file}`)
      throw new ApiError('not_found', { message: 'There is no such file.' })
    return reply
      .type('text/css; charset=utf-8')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('x-content-type-options', 'nosniff')
      .send(accentStyle(accent))
  })
}

function makeShades(chosen: string, scheme: Scheme): Shades {
  const end = towards[scheme]
  const ground = (name: string) => rgbOf(colour(name, scheme))
  const soft = mixed(ground('surface'), rgbOf(chosen), 0.14)
  const grounds = [...['canvas', 'surface', 'sunken'].map(ground), soft]
  let accent = rgbOf(chosen)
  for (let part = step; part < 1 && grounds.some((one) => ratio(accent, one) < readable); part += step)
    accent = mixed(rgbOf(chosen), end, part)
  return {
    accent: hexOf(accent),
    accentStrong: hexOf(mixed(accent, end, 0.25)),
    accentSoft: hexOf(soft),
    onAccent: colour(scheme === 'light' ? 'surface' : 'canvas', scheme),
  }
}

/** From 1 to 21 (WCAG 2.2, 'contrast ratio'). */
function ratio(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function rgbOf(hex: string): Rgb {
  const at = (index: number) => Number.parseInt(hex.slice(index, index + 2), 16)
  return [at(1), at(3), at(5)]
}

function hexOf(rgb: Rgb): string {
  return `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
}

function mixed(one: Rgb, other: Rgb, part: number): Rgb {
  const mix = (index: 0 | 1 | 2) => one[index] + (other[index] - one[index]) * part
  return [mix(0), mix(1), mix(2)]
}

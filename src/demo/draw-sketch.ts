/**
 * What every drawn picture starts from: repeatable chance, the light of an hour of the day, and colours that go together.
 * Serves the demonstration data; nothing here touches the network.
 */

/** The canvas every scene is drawn on; drawPicture scales it. */
export const canvas = { width: 1200, height: 800 } as const

export type Random = {
  /** From 0 up to, but not, 1. */
  next(): number
  between(min: number, max: number): number
  /** A whole number, both ends included. */
  whole(min: number, max: number): number
  pick<T>(list: readonly T[]): T
  chance(probability: number): boolean
}

export type Hour = 'morning' | 'day' | 'sunset' | 'dusk'

export type Light = {
  hour: Hour
  /** From the zenith to the horizon. */
  sky: readonly [string, string, string]
  /** What every outdoor colour is mixed with, and how much. */
  ambient: string
  amount: number
  sun: string
  /** Share of the windows with a lamp on. */
  lit: number
}

/** One picture in the making: its chance, its light, and the gradients it needs. */
export type Sketch = { random: Random; light: Light; defs: Map<string, { id: string; element: string }> }

const lights: readonly Light[] = [
  {
    hour: 'morning',
    sky: ['#79bdec', '#bfe2ef', '#fff0d6'],
    ambient: '#fff0d8',
    amount: 0.06,
    sun: '#fff4d2',
    lit: 0.04,
  },
  {
    hour: 'day',
    sky: ['#4a9fe0', '#93cbf0', '#e2f4fb'],
    ambient: '#ffffff',
    amount: 0,
    sun: '#fffbe8',
    lit: 0,
  },
  {
    hour: 'sunset',
    sky: ['#6b7fb8', '#eaa58f', '#ffdca6'],
    ambient: '#f08a55',
    amount: 0.13,
    sun: '#ffe3ad',
    lit: 0.35,
  },
  {
    hour: 'dusk',
    sky: ['#2b3368', '#6d62a0', '#f0a890'],
    ambient: '#332f70',
    amount: 0.3,
    sun: '#ffd3ae',
    lit: 0.7,
  },
]

/** Most pictures of a listing are taken by day. */
export const anyHour: readonly Hour[] = [
  'morning',
  'morning',
  'day',
  'day',
  'day',
  'sunset',
  'sunset',
  'dusk',
]

export const brightHours: readonly Hour[] = ['morning', 'morning', 'day', 'day', 'day', 'sunset', 'sunset']

/** The same text gives the same sequence, on every machine. */
export function newRandom(text: string): Random {
  let state = 2166136261
  for (const character of text) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16777619)
  // mulberry32: small, and even enough for pictures.
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const whole = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    between: (min, max) => min + next() * (max - min),
    whole,
    pick: (list) => list[whole(0, list.length - 1)] as (typeof list)[number],
    chance: (probability) => next() < probability,
  }
}

/** @param hours the hours of the day to choose from */
export function newSketch(name: string, hours: readonly Hour[] = anyHour): Sketch {
  const random = newRandom(name)
  // Neighbouring seeds start far apart only after a few steps.
  for (let step = 0; step < 4; step += 1) random.next()
  const hour = random.pick(hours)
  return { random, light: lights.find((light) => light.hour === hour) as Light, defs: new Map() }
}

/** `share` of the second colour. */
export function mix(one: string, other: string, share: number): string {
  const channel = (color: string, index: number) =>
    Number.parseInt(color.slice(1 + index * 2, 3 + index * 2), 16)
  const part = (index: number) =>
    Math.round(channel(one, index) * (1 - share) + channel(other, index) * share)
  return `#${[0, 1, 2].map((index) => part(index).toString(16).padStart(2, '0')).join('')}`
}

/** Towards a bluish dark, as shadows are outdoors. */
export const shade = (color: string, share: number): string => mix(color, '#1c2340', share)

/** Towards a warm white. */
export const tint = (color: string, share: number): string => mix(color, '#fff9ee', share)

/** The colour in the light of the hour. */
export const tone = (sketch: Sketch, color: string): string =>
  mix(color, sketch.light.ambient, sketch.light.amount)

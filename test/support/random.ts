/** A generator of numbers from a seed, so that a test's choices can be replayed. */

export type Random = {
  /** A whole number from 0 up to, but without, `end`. */
  below(end: number): number
  /** From 0 up to, but without, 1. */
  fraction(): number
  /** True in one of `count` cases. */
  oneIn(count: number): boolean
  pick<T>(from: readonly T[]): T
}

/** Mulberry32, which is small and mixes well. */
export function randomFrom(seed: number): Random {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const below = (end: number): number => next() % end
  return {
    below,
    fraction: () => next() / 2 ** 32,
    oneIn: (count) => below(count) === 0,
    pick(from) {
      const [picked] = from.slice(below(from.length))
      if (picked === undefined) throw new Error('nothing to pick from')
      return picked
    },
  }
}

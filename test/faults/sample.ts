/**
 * Chooses the cases to run. `npm test` runs a sample from a random offset, which the tests print: `FAULTS=<offset>` repeats it.
 * `FAULTS=every` runs all cases, as `npm run test:chaos` does.
 */
import { ways } from './steps/steps.ts'

const offsets = 1_200

export const chosen = process.env['FAULTS'] ?? String(Math.floor(Math.random() * offsets))

/**
 * @returns a filter that passes every `count`-th, or all. `count` divides 1,200. The counts of two nested filters have no common divisor:
 * otherwise some cases would never be in a sample
 */
export const oneOf =
  (count: number) =>
  (_one: unknown, index: number): boolean =>
    chosen === 'every' || (index + Number(chosen)) % count === 0

/** Every step of a run in every way, or every `count`-th of these cases. */
export const casesOf = (steps: readonly string[], count: number) =>
  steps
    .flatMap((step, index) =>
      isLikeItsNeighbours(steps, index) ? [] : ways.map((way) => ({ step, number: index + 1, way })),
    )
    .filter(oneOf(count))

/** The files of four pictures. */
const alikeOnEachSide = 12

/**
 * Whether the 12 steps on each side have the same one or two names, as in a reset, which stores 200 files in a row. Only the first 12 and
 * the last 12 steps of such a row fail.
 */
function isLikeItsNeighbours(steps: readonly string[], index: number): boolean {
  const near = steps.slice(Math.max(0, index - alikeOnEachSide), index + alikeOnEachSide + 1)
  return near.length > 2 * alikeOnEachSide && new Set(near).size <= 2
}

/**
 * Chooses the cases to run. `npm test` runs a sample from a random offset, which the tests print: `FAULTS=<offset>` repeats it.
 * `FAULTS=every` runs all cases, as `npm run test:chaos` does.
 */
import { ways } from './steps.ts'

const offsets = 1_200

export const chosen = process.env['FAULTS'] ?? String(Math.floor(Math.random() * offsets))

/** @returns a filter that passes one of `count`, which divides 1,200, or all */
export const oneOf =
  (count: number) =>
  (_one: unknown, index: number): boolean =>
    chosen === 'every' || (index + Number(chosen)) % count === 0

/** Every step of a run in every way, or one of `count` of these cases. */
export const casesOf = (steps: readonly string[], count: number) =>
  steps
    .flatMap((step, index) =>
      isLikeItsNeighbours(steps, index) ? [] : ways.map((way) => ({ step, number: index + 1, way })),
    )
    .filter(oneOf(count))

/** How many steps on each side repeat a step that does not have to fail: the files of four pictures. */
const mostAlike = 12

/**
 * Whether the step only repeats those before and after it, as in a reset, which stores 200 files in a row. Then the first and the last
 * of the row suffice.
 */
function isLikeItsNeighbours(steps: readonly string[], index: number): boolean {
  const near = steps.slice(Math.max(0, index - mostAlike), index + mostAlike + 1)
  return near.length > 2 * mostAlike && new Set(near).size <= 2
}

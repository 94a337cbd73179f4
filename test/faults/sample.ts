/**
 * Chooses the cases to run. `npm test` runs a sample from a random offset, which the tests print: `FAULTS=<offset>` repeats it.
 * `FAULTS=every` runs all cases, as `npm run test:chaos` does.
 */
import { ways } from './steps.ts'

const offsets = 200

export const chosen = process.env['FAULTS'] ?? String(Math.floor(Math.random() * offsets))

/** @returns a filter that passes one of `count`, which divides 200, or all */
export const oneOf =
  (count: number) =>
  (_one: unknown, index: number): boolean =>
    chosen === 'every' || (index + Number(chosen)) % count === 0

/** Every step of a run in every way, or one of `count` of these cases. */
export const casesOf = (steps: readonly string[], count: number) =>
  steps.flatMap((step, index) => ways.map((way) => ({ step, number: index + 1, way }))).filter(oneOf(count))

/** Limits that are too high to reach, in the form of LIMITS, for tests that are not about them. */
import type { LimitName } from '../../src/limits/table.ts'

export function wideLimits(names: readonly LimitName[]): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, 1e6]))
}

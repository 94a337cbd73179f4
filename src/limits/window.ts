/** The windows of limits. They only go forward, even where clocks differ. All times are in milliseconds. */
import { defaultLimits, type LimitName, type WindowLimit } from './table.ts'

/** A counter's window, and how much is used in it. */
export type Window = Readonly<{ used: number; endsAt: number }>

/** The current window of a counter. @param stored its last one, or null; one that has ended counts as none */
export function windowAt(name: LimitName, now: number, stored: Window | null): Window {
  if (stored !== null && stored.endsAt > now) return stored
  const { windowSeconds, fromFirstUse }: WindowLimit = defaultLimits[name]
  const length = windowSeconds * 1_000
  return { used: 0, endsAt: (fromFirstUse === true ? now : Math.floor(now / length) * length) + length }
}

/** The window of a counter that is stored with its start, ISO 8601. */
export function windowFrom(name: LimitName, start: string, used: number): Window {
  return { used, endsAt: Date.parse(start) + defaultLimits[name].windowSeconds * 1_000 }
}

/** Whole seconds, rounded up. */
export const secondsUntil = (endsAt: number, now: number): number => Math.ceil((endsAt - now) / 1_000)

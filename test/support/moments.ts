/** Moves the application's clock forward to the start of a window, so that no test of limits straddles two. */
import { sql } from 'kysely'
import type { TestApp } from './app/app.ts'

const seconds = { minute: 60, hour: 3600, day: 86_400 }

/** The application's clock, in milliseconds since 1970. */
export async function now(t: TestApp): Promise<number> {
  const { rows } = await sql<{
    ms: number
  }>`select extract(epoch from clock_timestamp()) * 1000 as ms`.execute(t.deps.db)
  return Number(rows[0]?.ms) + t.clock.offsetMs
}

/** Moves the clock to the start of the next UTC minute, hour or day. */
export async function toNext(t: TestApp, unit: keyof typeof seconds): Promise<void> {
  const at = await now(t)
  const width = seconds[unit] * 1000
  t.clock.offsetMs += Math.ceil(at / width) * width - at + 1
}

export function forward(t: TestApp, bySeconds: number): void {
  t.clock.offsetMs += bySeconds * 1000
}

/** The start of the next UTC minute, hour or day, in the form of `resets_at`. */
export async function nextStart(t: TestApp, unit: keyof typeof seconds): Promise<string> {
  const width = seconds[unit] * 1000
  return new Date((Math.floor((await now(t)) / width) + 1) * width).toISOString()
}

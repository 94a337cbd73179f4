/** A bystander: a well-behaved agency whose requests are timed on a quiet service, and again during an attack by others. */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'

/** Sends one request and reads the whole response. @returns why the bystander was not served; null when it was */
export type Visit = () => Promise<string | null>

type Figures = { requests: number; refused: string[]; p50: number; p99: number; slowest: number }

/** Below this, in milliseconds, a p99 on a shared machine measures the scheduler rather than the service. */
const noiseMs = 50
const everyMs = 50

/**
 * Sends the visits in turn, one every 50 ms whether or not the previous one got a response, so that a stall is seen by every request it
 * delays.
 */
export async function timeBystander(visits: readonly Visit[], seconds: number): Promise<Figures> {
  const times: number[] = []
  const refused: string[] = []
  const running: Promise<void>[] = []
  const began = performance.now()
  const total = Math.round((seconds * 1_000) / everyMs)
  for (let turn = 0; turn < total; turn += 1) {
    await delay(Math.max(0, began + turn * everyMs - performance.now()))
    const visit = visits[turn % visits.length] as Visit
    const sentAt = performance.now()
    running.push(
      visit().then(
        (failure) => {
          times.push(performance.now() - sentAt)
          if (failure !== null) refused.push(failure)
        },
        (error: unknown) => void refused.push(String(error)),
      ),
    )
  }
  await Promise.all(running)
  times.sort((a, b) => a - b)
  const at = (share: number) => Math.round(times[Math.floor(share * (times.length - 1))] ?? 0)
  return { requests: total, refused, p50: at(0.5), p99: at(0.99), slowest: at(1) }
}

/**
 * Times the bystander before and during the attack. Prints both, and fails if a request of the bystander was rejected during the attack or
 * its p99 more than doubled.
 * @param attack starts the attack; the returned function ends it
 */
export async function compareWithQuiet(
  context: TestContext,
  visits: readonly Visit[],
  attack: () => Promise<() => Promise<void>>,
  seconds = 10,
): Promise<{ quiet: Figures; attacked: Figures }> {
  // The first requests of a process compile and connect.
  await timeBystander(visits, 1)
  const quiet = await timeBystander(visits, seconds)
  const stop = await attack()
  const attacked = await timeBystander(visits, seconds).finally(stop)
  const line = ({ requests, refused, p50, p99, slowest }: Figures): string =>
    `${requests} requests, ${refused.length} refused, p50 ${p50} ms, p99 ${p99} ms, slowest ${slowest} ms`
  context.diagnostic(`quiet:        ${line(quiet)}`)
  context.diagnostic(`under attack: ${line(attacked)}`)
  assert.deepEqual([...new Set(attacked.refused)], [])
  const bound = Math.max(2 * quiet.p99, noiseMs)
  assert.ok(attacked.p99 <= bound, `p99 ${attacked.p99} ms; at most ${bound} ms`)
  return { quiet, attacked }
}

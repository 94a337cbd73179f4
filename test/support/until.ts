/** Waits for effects of another process or the database. */
import { setTimeout as delay } from 'node:timers/promises'

const pauseMs = 10
/** Longer than anything takes on a busy machine: only a lost effect takes longer. */
const patienceMs = 120_000

/** Polls until the condition holds. The pauses leave the CPU to the awaited work. @throws after two minutes */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + patienceMs
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`not within ${patienceMs} ms: ${String(isSo)}`)
    await delay(pauseMs)
  }
}

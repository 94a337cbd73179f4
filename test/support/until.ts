/** Waits for effects of another process or the database. */
import { setTimeout as delay } from 'node:timers/promises'

const pauseMs = 10

/** Polls until the condition holds. The pauses leave the CPU to the awaited work. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(pauseMs)
}

/** Waiting for what another process or the database does. */
import { setTimeout as delay } from 'node:timers/promises'

const pauseMs = 10

/** Looks until it is so. The pauses leave the processor to what is waited for. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(pauseMs)
}

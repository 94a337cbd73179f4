/**
 * Kills serving processes that hang: their connections would wait forever. Missed heartbeats are counted rather than seconds, so that no
 * process looks as if it had hung after the machine or the primary process was suspended.
 */
import { hungProcesses } from '../../platform/log/counters.ts'
import type { ProcessHandle } from './process-handle.ts'

const everyMs = 2_000
/** No healthy event loop is busy for ten seconds: pictures and passwords are computed in other threads and processes. */
const maxMissed = 5

/** Watches the processes that serve or stop. The primary process ends without waiting for this. */
export function watchHeartbeats(processes: ReadonlySet<ProcessHandle>, print: (line: string) => void): void {
  const look = (): void => {
    for (const child of processes) {
      const { state, pid, missedBeats } = child
      if (state !== 'listening' && state !== 'stopping') continue
      // Not `>=`: a killed process that waits for a disk ends only once the disk answers.
      if (missedBeats === maxMissed) {
        hungProcesses.add(state)
        print(
          `The serving process ${pid} has not answered for ${(everyMs * maxMissed) / 1_000} seconds; killing it.`,
        )
        child.kill()
      }
      child.beat()
    }
  }
  setInterval(look, everyMs).unref()
}

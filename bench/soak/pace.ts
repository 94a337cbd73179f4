/**
 * The pace of the machine: the CPU time of a fixed piece of work, done once a second. A virtual machine shares its cores with others: its
 * pace can change by half within minutes.
 */
import { createHash } from 'node:crypto'

const everyMs = 1_000
const rows = Array.from({ length: 400 }, (_, index) => ({
  id: `L-${index}`,
  price: index * 1_000,
  tags: ['a', 'b'],
}))

export type Pace = {
  /** Mean microseconds of CPU since the last call; null if it was not done since. */
  read(): number | null
  end(): void
}

export function openPace(): Pace {
  let done = 0
  let total = 0
  const timer = setInterval(() => {
    done += 1
    total += measure()
  }, everyMs)
  return {
    read() {
      const mean = done === 0 ? null : total / done
      done = 0
      total = 0
      return mean
    },
    end: () => clearInterval(timer),
  }
}

/** Parses, writes and hashes, as a request does. */
function measure(): number {
  const before = process.threadCpuUsage()
  const text = JSON.stringify(JSON.parse(JSON.stringify(rows)))
  createHash('sha256').update(text).digest('hex')
  const { user, system } = process.threadCpuUsage(before)
  return user + system
}

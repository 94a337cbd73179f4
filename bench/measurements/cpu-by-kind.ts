/** CPU seconds of PostgreSQL by kind of process, and of a Node process by kind of thread. */
import { readdirSync, readFileSync } from 'node:fs'
import { endedSecondsOf, ownSeconds, withChildren } from '../processes/machine.ts'

/**
 * Kinds are client backends, `walwriter`, `checkpointer` and so on; processes that have ended, such as autovacuum workers, are one kind.
 */
export function cpuByKind(postmaster: number): Map<string, number> {
  const seconds = new Map<string, number>([['processes that ended', endedSecondsOf(postmaster)]])
  for (const pid of withChildren(postmaster)) {
    const kind = pid === postmaster ? 'postmaster' : kindOf(titleOf(pid))
    add(seconds, kind, ownSeconds(String(pid)) ?? 0)
  }
  return seconds
}

/** Keyed by thread name: the main thread, V8's workers for garbage collection and compilation, and so on. */
export function cpuByThread(pid: number): Map<string, number> {
  const seconds = new Map<string, number>()
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const place = `${pid}/task/${thread}`
    const name = Number(thread) === pid ? 'main thread' : readText(`/proc/${place}/comm`).trim()
    add(seconds, name, ownSeconds(place) ?? 0)
  }
  return seconds
}

function add(seconds: Map<string, number>, kind: string, more: number): void {
  seconds.set(kind, (seconds.get(kind) ?? 0) + more)
}

/** `postgres: io worker 1` → `io worker`; a client backend's title begins with its user. */
function kindOf(title: string): string {
  const kind =
    /^postgres: (?:[\w/]+: )?((?:io worker|autovacuum \w+|logical replication \w+|background writer|\w+))/.exec(
      title,
    )?.[1]
  const known = ['walwriter', 'checkpointer', 'background writer', 'io worker']
  if (
    kind !== undefined &&
    (known.includes(kind) || kind.startsWith('autovacuum') || kind.startsWith('logical'))
  )
    return kind
  return 'client backends'
}

function titleOf(pid: number): string {
  return readText(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim()
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // It has ended in the meantime.
    return ''
  }
}

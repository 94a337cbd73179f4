/** Processes and their cores: child processes, pinned if `taskset` is available, and the CPU time of the database. */
import { type ChildProcess, execFileSync, fork, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

const ticksPerSecond = 100

/** The server and the load get a core each; the database has all cores, or shares that of the load. */
export const cores = { server: 0, load: 1, all: `0-${availableParallelism() - 1}` } as const
export const canPin =
  process.platform === 'linux' &&
  availableParallelism() > 1 &&
  spawnSync('taskset', ['-V'], { stdio: 'ignore' }).status === 0

export type Child = {
  process: ChildProcess
  /** The next message. @throws Error if the process ends before */
  message<T>(): Promise<T>
  ask<T>(message: object): Promise<T>
}

/** Starts a script on its core, or on all if null. @param script relative to bench/ */
export function startChild(
  script: string,
  core: number | null,
  env: Record<string, string> = {},
  execArgv: string[] = [],
): Child {
  const child = fork(join(import.meta.dirname, '..', script), {
    env: { PATH: process.env['PATH'], ...env },
    execArgv,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    ...(canPin && core !== null
      ? { execPath: 'taskset', execArgv: ['-c', String(core), process.execPath, ...execArgv] }
      : {}),
  })
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${script} ended`)
  })
  // Read with the next command.
  ended.catch(() => {})
  const message = async <T>(): Promise<T> => {
    const gone = new AbortController()
    const response = once(child, 'message', { signal: gone.signal })
    try {
      const [reply] = (await Promise.race([response, ended])) as [T]
      return reply
    } finally {
      gone.abort()
      response.catch(() => {})
    }
  }
  return {
    process: child,
    message,
    ask<T>(question: object): Promise<T> {
      const response = message<T>()
      child.send(question)
      return response
    },
  }
}

export async function stopChild({ process: child }: Child): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** Waits until a server responds there. */
export async function untilItResponds(url: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await fetch(url)
      return
    } catch (error) {
      if (attempt === 200) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

/** CPU seconds of a PostgreSQL server and all its processes, including ended ones; NaN if unknown. */
export function databaseCpuSeconds(postmaster: number): number {
  if (process.platform !== 'linux') return Number.NaN
  let seconds = 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = readStat(Number(name))
    if (stat === null || (stat.pid !== postmaster && stat.parent !== postmaster)) continue
    seconds += ownSeconds(String(stat.pid)) ?? (stat.user + stat.system) / ticksPerSecond
    if (stat.pid === postmaster) seconds += (stat.endedUser + stat.endedSystem) / ticksPerSecond
  }
  return seconds
}

/** CPU seconds of a process and its children, with all of their threads; NaN if unknown. */
export function cpuSecondsOf(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN
  let seconds = 0
  for (const member of withChildren(pid)) {
    for (const thread of readdirSync(`/proc/${member}/task`))
      seconds += ownSeconds(`${member}/task/${thread}`) ?? 0
  }
  return seconds
}

/** Megabytes in memory of a process and of each of its children, in order of their start. */
export function residentOf(pid: number): number[] {
  if (process.platform !== 'linux') return []
  return withChildren(pid).map((member) => {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${member}/status`, 'utf8'))?.[1]
    return Number(kilobytes) / 1024
  })
}

/** A process and its children, in order of their start. */
export function withChildren(pid: number): number[] {
  const children = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && readStat(Number(name))?.parent === pid,
  )
  return [pid, ...children.map(Number).sort((a, b) => a - b)]
}

/** Moves a process and its children, including later ones, to some cores. */
export function pin(pid: number, where: number | string): void {
  for (const member of withChildren(pid))
    execFileSync('taskset', ['-a', '-c', '-p', String(where), String(member)], { stdio: 'ignore' })
}

/** The parent of a process. */
export function parentOf(pid: number): number {
  return readStat(pid)?.parent ?? 0
}

function readStat(pid: number) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may contain anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
      (index) => Number(fields[index]),
    )
    return { pid, parent, user, system, endedUser, endedSystem }
  } catch {
    return null
  }
}

/** CPU seconds of a process's children that have ended. */
export function endedSecondsOf(pid: number): number {
  const stat = readStat(pid)
  return stat === null ? 0 : (stat.endedUser + stat.endedSystem) / ticksPerSecond
}

/** CPU seconds of a thread, to the nanosecond if the kernel provides it. */
export function ownSeconds(task: string): number | null {
  try {
    return Number(readFileSync(`/proc/${task}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e9
  } catch {
    return null
  }
}

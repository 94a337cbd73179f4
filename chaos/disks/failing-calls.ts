/** Makes system calls of running processes fail, with strace: all that a program sees of a failing disk. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** Why calls cannot be made to fail here, or false. */
export const skippedWithoutStrace: string | false = findReason()

function findReason(): string | false {
  const { error, stderr, status } = spawnSync('strace', ['-e', 'inject=fsync:error=EIO', 'true'], {
    encoding: 'utf8',
  })
  if (error !== undefined) return 'strace is missing'
  return status === 0 ? false : `strace may not trace: ${stderr.trim().split('\n').at(-1)}`
}

type FailingCalls = {
  /** How many calls have failed. */
  count(): number
  /** Lets all further calls pass. */
  stop(): Promise<void>
}

export type Failure = {
  /** Names of system calls, separated by commas. */
  calls: string
  error: 'EIO' | 'ENOSPC' | 'EROFS'
  /** Which of each thread's calls fail, as strace takes it: `3+10` is the third and every tenth after it. Default: all. */
  when?: string
  /** Only calls on exactly these paths. Default: on any. */
  paths?: readonly string[]
}

/** Makes these calls fail in the processes, and in all that they start from now on. */
export async function failCalls(
  pids: readonly number[],
  { calls, error, when, paths = [] }: Failure,
): Promise<FailingCalls> {
  const rule = [`inject=${calls}:error=${error}`, ...(when === undefined ? [] : [`when=${when}`])].join(':')
  const words = ['-f', '-qq', '-e', `trace=${calls}`, '-e', rule, '-e', 'signal=none']
  for (const path of paths) words.push('-P', path)
  for (const pid of pids) words.push('-p', String(pid))
  const strace = spawn('strace', words, { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(strace, 'exit')
  let failed = 0
  let said = ''
  strace.stderr.setEncoding('utf8').on('data', (piece: string) => {
    failed += piece.split('(INJECTED)').length - 1
    said += piece
  })
  while (!pids.every(isTraced)) {
    if (strace.exitCode !== null) throw new Error(`strace ended: ${said}`)
    await delay(5)
  }
  return {
    count: () => failed,
    async stop() {
      strace.kill('SIGINT')
      await ended
    },
  }
}

/** A process and all below it. */
export function treeOf(pid: number): number[] {
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const pairs = Array.from(listed.matchAll(/(\d+) +(\d+)/g), (match) => [Number(match[1]), Number(match[2])])
  const below = (above: number): number[] =>
    pairs.flatMap(([child = 0, parent]) => (parent === above ? [child, ...below(child)] : []))
  return [pid, ...below(pid)]
}

/** Whether a tracer is attached to all threads of the process; one that has ended needs none. */
function isTraced(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/task`).every((thread) =>
      /^TracerPid:\t[1-9]/m.test(readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8')),
    )
  } catch {
    return true
  }
}

/**
 * A helper process for work that would block the server's process, hold much memory, or load blocked modules. It starts with the first
 * question and exits when idle. It gets neither the secrets of the settings nor the flags of this process.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import process from 'node:process'
import { messageOf } from '../../../platform/errors/errors.ts'

type Question<Q> = { id: number; question: Q }
type Answer<A> = { id: number; answer: A } | { id: number; error: string }

type Waiting<A> = { resolve: (answer: A) => void; reject: (error: Error) => void }
type Helper<A> = { process: ChildProcess; waiting: Map<number, Waiting<A>>; idle: NodeJS.Timeout | null }

/**
 * @param script the helper's program in this folder, which calls `answerQuestions`
 * @returns a function that sends it a question; rejects with its error, or when it exits before it answers
 */
export function helperProcess<Q, A>(script: string, idleMs: number): (question: Q) => Promise<A> {
  let helper: Helper<A> | null = null
  let lastId = 0

  const start = (): Helper<A> => {
    const child = fork(new URL(script, import.meta.url), {
      // As little memory as possible: it is rarely used.
      env: { MALLOC_ARENA_MAX: '1', ...compileCache() },
      execArgv: ['--max-semi-space-size=2'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const started: Helper<A> = { process: child, waiting: new Map(), idle: null }
    child.on('message', (message: Answer<A>) => {
      settle(started, message.id, ({ resolve, reject }) => {
        if ('answer' in message) resolve(message.answer)
        else reject(new Error(message.error))
      })
    })
    const ended = (error: Error): void => {
      if (helper === started) helper = null
      if (started.idle !== null) clearTimeout(started.idle)
      for (const { reject } of started.waiting.values()) reject(error)
      started.waiting.clear()
    }
    child.on('error', ended)
    child.on('exit', () => ended(new Error(`${script} ended before it had answered.`)))
    return started
  }

  const settle = (current: Helper<A>, id: number, how: (waiting: Waiting<A>) => void): void => {
    const waiting = current.waiting.get(id)
    if (waiting === undefined) return
    current.waiting.delete(id)
    how(waiting)
    if (current.waiting.size === 0) letSleep(current)
  }

  /** An idle helper does not keep this process alive; it exits once its channel is closed. */
  const letSleep = (current: Helper<A>): void => {
    current.process.unref()
    current.process.channel?.unref()
    current.idle = setTimeout(() => {
      if (helper === current) helper = null
      if (current.process.connected) current.process.disconnect()
    }, idleMs)
    current.idle.unref()
  }

  return (question) => {
    helper ??= start()
    const current = helper
    const id = (lastId += 1)
    return new Promise((resolve, reject) => {
      current.waiting.set(id, { resolve, reject })
      keepAwake(current)
      current.process.send({ id, question } satisfies Question<Q>, (error) => {
        if (error !== null) settle(current, id, (waiting) => waiting.reject(error))
      })
    })
  }
}

/** Saves half of the helper's startup time, and 20 MB. */
function compileCache(): Record<string, string> {
  const ofThisVersion = getCompileCacheDir()
  return ofThisVersion === undefined ? {} : { NODE_COMPILE_CACHE: dirname(ofThisVersion) }
}

/** This process must not end while it awaits an answer. */
function keepAwake({ process: child, idle }: Helper<never>): void {
  if (idle !== null) clearTimeout(idle)
  child.ref()
  child.channel?.ref()
}

/** The helper's side. It exits when its channel closes, and so with its parent. */
export function answerQuestions<Q, A>(answer: (question: Q) => A | Promise<A>): void {
  process.on('message', ({ id, question }: Question<Q>) => {
    void Promise.resolve(question)
      .then(answer)
      .then(
        (found): Answer<A> => ({ id, answer: found }),
        (error: unknown): Answer<A> => ({ id, error: messageOf(error) }),
      )
      // The parent may be gone.
      .then((message) => process.connected && process.send?.(message, () => undefined))
  })
  process.on('disconnect', () => process.exit())
}

/**
 * A process that does what the server's own must not: hold much memory, take long in one go, or load what is blocked here. It starts when
 * it is first asked, answers what it is asked, and ends when idle; it gets neither the settings' secrets nor the flags of this process.
 */
import { type ChildProcess, fork } from 'node:child_process'
import process from 'node:process'

type Question<Q> = { id: number; question: Q }
type Answer<A> = { id: number; answer: A } | { id: number; error: string }

type Waiting<A> = { resolve: (answer: A) => void; reject: (error: Error) => void }
type Helper<A> = { process: ChildProcess; waiting: Map<number, Waiting<A>>; idle: NodeJS.Timeout | null }

/**
 * @param script the helper's program, which calls `answerQuestions`
 * @returns asks it; throws what it throws, and when it ends before it has answered
 */
export function helperProcess<Q, A>(script: URL, idleMs: number): (question: Q) => Promise<A> {
  let helper: Helper<A> | null = null
  let lastId = 0

  const start = (): Helper<A> => {
    const child = fork(script, {
      // As little memory as there may be: what it does is seldom.
      env: { MALLOC_ARENA_MAX: '1' },
      execArgv: ['--max-semi-space-size=2'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const started: Helper<A> = { process: child, waiting: new Map(), idle: null }
    child.on('message', (told: Answer<A>) => {
      settle(started, told.id, ({ resolve, reject }) => {
        if ('answer' in told) resolve(told.answer)
        else reject(new Error(told.error))
      })
    })
    const ended = (error: Error): void => {
      if (helper === started) helper = null
      if (started.idle !== null) clearTimeout(started.idle)
      for (const { reject } of started.waiting.values()) reject(error)
      started.waiting.clear()
    }
    child.on('error', ended)
    child.on('exit', () => ended(new Error(`${script.pathname} ended before it had answered.`)))
    return started
  }

  const settle = (current: Helper<A>, id: number, how: (waiting: Waiting<A>) => void): void => {
    const waiting = current.waiting.get(id)
    if (waiting === undefined) return
    current.waiting.delete(id)
    how(waiting)
    if (current.waiting.size === 0) letSleep(current)
  }

  /** An idle helper keeps nobody from ending, and ends itself before long: by losing its channel. */
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

/** While an answer is awaited, this process must not end without it. */
function keepAwake({ process: child, idle }: Helper<never>): void {
  if (idle !== null) clearTimeout(idle)
  child.ref()
  child.channel?.ref()
}

/** The helper's side. It ends with the channel, and so with its parent. */
export function answerQuestions<Q, A>(answer: (question: Q) => A | Promise<A>): void {
  process.on('message', ({ id, question }: Question<Q>) => {
    void Promise.resolve(question)
      .then(answer)
      .then(
        (told): Answer<A> => ({ id, answer: told }),
        (error: unknown): Answer<A> => ({
          id,
          error: error instanceof Error ? error.message : String(error),
        }),
      )
      // The parent may be gone by now, and nobody is left to tell.
      .then((told) => process.connected && process.send?.(told, () => undefined))
  })
  process.on('disconnect', () => process.exit())
}

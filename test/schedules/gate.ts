/**
 * Lets one step of several concurrent requests run at a time, in an order that a random generator chooses, so that the same numbers give
 * the same order. A step is a statement, a connection, a file or an event to send, or the start of a client's next request. A statement
 * that waits for a lock keeps its place, and others go on.
 */
import pg from 'pg'
import type { Random } from '../support/random.ts'

/** How a step fails: its connection is cut before it has an effect, or after. */
export type Cut = 'before' | 'after'

type Step = {
  name: string
  /** Whether its connection may be cut. */
  canBeCut: boolean
  /** The process of PostgreSQL that runs it; null if it never waits for a lock. */
  pid: number | null
  /** Called when it is the step's turn. */
  begin(cut: Cut | null): void
}

/** Ends a step. @param goOn called when its request may go on */
export type Finish = (goOn: () => void) => void

export type Gate = {
  /** Adds a step, which begins when it is chosen. */
  enter(step: Step): Finish
  /** Runs `work` as a step. */
  run<T>(name: string, work: () => Promise<T>): Promise<T>
  /** Chooses steps by `random` until `work` ends. Without this, all steps begin at once. @returns the names of the steps, in order */
  drive(random: Random, work: () => Promise<void>): Promise<string[]>
  close(): Promise<void>
}

/** One statement in 500 loses its connection. */
const stepsPerCut = 500
/** A request that has received something sends its next statement within fewer turns of the event loop. */
const turnsUntilQuiet = 5
/** Most statements have their response by then. */
const responseWithinMs = 2

/** @param connection to PostgreSQL, past the gate, to query which statements wait for a lock */
export async function openGate(connection: pg.ClientConfig): Promise<Gate> {
  const monitor = new pg.Client(connection)
  await monitor.connect()
  const waiting: Step[] = []
  /** In the order in which they began. */
  const running = new Map<Step, Cut | null>()
  const finished: { step: Step; cut: Cut | null; goOn: () => void }[] = []
  let isDriven = false
  let changed = Promise.withResolvers<void>()
  const change = (): void => {
    changed.resolve()
    changed = Promise.withResolvers()
  }
  const begin = (step: Step, cut: Cut | null): void => {
    running.set(step, cut)
    step.begin(cut)
  }

  const enter: Gate['enter'] = (step) => {
    if (isDriven) waiting.push(step)
    // By then the caller has its function to finish the step.
    else process.nextTick(begin, step, null)
    change()
    return (goOn) => {
      const cut = running.get(step)
      if (!isDriven) goOn()
      else if (cut !== undefined) finished.push({ step, cut, goOn })
      running.delete(step)
      if (waiting.includes(step)) waiting.splice(waiting.indexOf(step), 1)
      change()
    }
  }

  /** Waits until no request goes on by itself. */
  const untilQuiet = async (): Promise<void> => {
    for (let turns = 0, known = waiting.length; turns < turnsUntilQuiet; turns += 1) {
      await new Promise((resolve) => setImmediate(resolve))
      if (waiting.length !== known) turns = 0
      known = waiting.length
    }
  }
  /** Waits until every step that runs waits for a lock. Only then do requests go on, in a fixed order. */
  const untilBlocked = async (order: readonly Step[]): Promise<void> => {
    while (running.size > 0 && !(await areBlocked())) await within(responseWithinMs, changed.promise)
    const all = finished.splice(0)
    for (const { step, cut, goOn } of all.sort(
      (one, other) => order.indexOf(one.step) - order.indexOf(other.step),
    )) {
      goOn()
      if (cut !== null) await untilEnded(monitor, step)
    }
  }
  const areBlocked = async (): Promise<boolean> => {
    const steps = [...running.keys()]
    const pids = steps.flatMap(({ pid }) => pid ?? [])
    if (pids.length < steps.length) return false
    const { rowCount } = await monitor.query({ name: 'blocked', text: blocked, values: [pids] })
    return rowCount === running.size && steps.every((step) => running.has(step))
  }

  return {
    enter,
    async run(name, work) {
      const turn = Promise.withResolvers<void>()
      const finish = enter({ name, canBeCut: false, pid: null, begin: () => turn.resolve() })
      await turn.promise
      try {
        return await work()
      } finally {
        await new Promise<void>((goOn) => finish(goOn))
      }
    },
    async drive(random, work) {
      const order: Step[] = []
      isDriven = true
      let isOver = false
      const worked = work().finally(() => {
        isOver = true
        change()
      })
      while (!isOver) {
        await untilQuiet()
        const step = waiting[random.below(Math.max(1, waiting.length))]
        if (step === undefined) {
          if (!isOver) await within(responseWithinMs, changed.promise)
          await untilBlocked(order)
          continue
        }
        waiting.splice(waiting.indexOf(step), 1)
        order.push(step)
        const cut = step.canBeCut && random.oneIn(stepsPerCut) ? random.pick<Cut>(['before', 'after']) : null
        begin(step, cut)
        await within(responseWithinMs, changed.promise)
        await untilBlocked(order)
      }
      isDriven = false
      // Requests whose client has given up.
      for (const { goOn } of finished.splice(0)) goOn()
      for (const step of waiting.splice(0)) begin(step, null)
      await worked
      return order.map(({ name }) => name)
    },
    close: () => monitor.end(),
  }
}

const blocked = 'select from unnest($1::int[]) pid where cardinality(pg_blocking_pids(pid)) > 0'

/** Waits until PostgreSQL has noticed that a connection was cut, and has freed its locks. */
async function untilEnded(monitor: pg.Client, { pid }: Step): Promise<void> {
  const alive = { name: 'alive', text: 'select from pg_stat_activity where pid = $1', values: [pid] }
  while (((await monitor.query(alive)).rowCount ?? 0) > 0);
}

async function within(ms: number, awaited: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([awaited, promise])
  clearTimeout(timer)
}

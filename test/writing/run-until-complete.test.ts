/** A write may run several times: it is rolled back while something has to be fetched, restarts when stale, and is bounded. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { statement } from '../../src/platform/db/statements/statement.ts'
import { ApiError } from '../../src/platform/errors/errors.ts'
import { type DryRun, newDryRun } from '../../src/writing/dry-run.ts'
import type { Locked } from '../../src/writing/under-lock.ts'
import { type Outside, runUntilComplete, StaleWrite } from '../../src/writing/run-until-complete.ts'
import { type TestApp, testApp } from '../support/app/app.ts'
import { revisionOf } from '../support/app/listings.ts'

let t: TestApp
before(async () => {
  t = await testApp()
})
after(() => t.close())

const raise = statement('update agency_revisions set revision = revision + 1 where agency_id = $1')

/** Fakes everything outside the database. `ask` requests something by name; `steps` lists the calls. */
function things() {
  const there = new Set<string>()
  let wanted: string[] = []
  const steps: string[] = []
  const outside: Outside = {
    begin() {
      wanted = []
    },
    isIncomplete: () => wanted.length > 0,
    async fetch() {
      steps.push(`fetch ${wanted.join()}`)
      for (const name of wanted) there.add(name)
      wanted = []
    },
    async discard() {
      steps.push('discard')
    },
    async restart() {
      steps.push('restart')
      there.clear()
    },
  }
  const ask = (name: string) => {
    if (!there.has(name)) wanted.push(name)
  }
  return { outside, ask, steps }
}

/** Runs a write that raises the agency's revision each time it runs. @returns the increase, and the steps */
async function raising(
  run: (ask: (name: string) => void, nth: number) => void,
  dryRun: DryRun | null = null,
) {
  const { outside, ask, steps } = things()
  const { id } = t.agency
  const was = await revisionOf(t, id)
  let runs = 0
  const work = async ({ tx }: Locked) => {
    runs += 1
    await raise(tx, [id])
    run(ask, runs)
    return runs
  }
  const options = { outside, first: {}, dryRun }
  const result = await runUntilComplete(t.deps, id, options, work).catch((error: unknown) => error)
  return { result, rose: (await revisionOf(t, id)) - was, steps }
}

describe('a write', () => {
  test('that needs nothing runs once', async () => {
    assert.deepEqual(await raising(() => {}), { result: 1, rose: 1, steps: ['discard'] })
  })

  test('is rolled back until everything it requests is available', async () => {
    const outcome = await raising((ask, nth) => {
      ask('a')
      if (nth > 1) ask('b')
    })
    assert.deepEqual(outcome, { result: 3, rose: 1, steps: ['fetch a', 'fetch b', 'discard'] })
  })

  test('that is refused fetches nothing', async () => {
    const refusal = new ApiError('not_found')
    const outcome = await raising((ask) => {
      ask('a')
      throw refusal
    })
    assert.deepEqual(outcome, { result: refusal, rose: 0, steps: ['discard'] })
  })

  test('stores nothing as a dry run', async () => {
    assert.deepEqual(await raising(() => {}, newDryRun()), { result: 1, rose: 0, steps: ['discard'] })
  })

  test('counts its last run alone as a dry run that starts over', async () => {
    const dryRun = newDryRun()
    await raising((_ask, nth) => {
      dryRun.addCost({ state_changes: 1 })
      dryRun.rememberPhotos({ id: 'a', photos: [String(nth)] })
      if (nth > 1) return
      dryRun.addExhausted([{ name: 'enables_per_day', max: 1, resets: 9 }])
      throw new StaleWrite()
    }, dryRun)
    assert.deepEqual(dryRun.cost, { writes: 1, new_listings: 0, photos: 0, state_changes: 1 })
    assert.deepEqual([...dryRun.exhausted, ...dryRun.photosNow], [['a', ['2']]])
  })

  test('fetches again if it is stale', async () => {
    const outcome = await raising((ask, nth) => {
      ask('a')
      if (nth === 2) throw new StaleWrite()
    })
    assert.deepEqual(outcome, { result: 4, rose: 1, steps: ['fetch a', 'restart', 'fetch a', 'discard'] })
  })

  test('gets 503 if it stays stale or keeps requesting more', async () => {
    const stale = await raising(() => {
      throw new StaleWrite()
    })
    const greedy = await raising((ask, nth) => ask(String(nth)))
    for (const { result, rose } of [stale, greedy]) {
      assert.ok(result instanceof ApiError)
      assert.deepEqual([result.code, rose], ['service_unavailable', 0])
    }
  })
})

/** Limits on concurrent work. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { abortable, createLimiter, WaitedTooLong } from '../../src/platform/concurrency.ts'
import { settle } from '../support/settle.ts'

describe('createLimiter', () => {
  test('runs up to its limit of jobs at a time, in order, and frees places after failures too', async () => {
    const limiter = createLimiter(2)
    const started: number[] = []
    const jobs = Array.from({ length: 5 }, () => Promise.withResolvers<number>())
    const results = jobs.map((job, index) =>
      limiter(() => {
        started.push(index)
        return job.promise
      }).catch((error: Error) => error.message),
    )
    await settle()
    assert.deepEqual(started, [0, 1])
    jobs[1]?.reject(new Error('broken'))
    await settle()
    assert.deepEqual(started, [0, 1, 2])
    jobs[0]?.resolve(0)
    jobs[2]?.resolve(2)
    await settle()
    assert.deepEqual(started, [0, 1, 2, 3, 4])
    jobs[3]?.resolve(3)
    jobs[4]?.resolve(4)
    assert.deepEqual(await Promise.all(results), [0, 'broken', 2, 3, 4])
    assert.equal(await limiter(() => Promise.resolve('free again')), 'free again')
  })

  test('drops jobs that are aborted while waiting, and no others', async () => {
    const limiter = createLimiter(1)
    const first = Promise.withResolvers<string>()
    const running = limiter(() => first.promise)
    const controller = new AbortController()
    let ran = false
    const aborted = limiter(() => Promise.resolve((ran = true)), { signal: controller.signal })
    const patient = limiter(() => Promise.resolve('third'))
    controller.abort(new Error('enough'))
    await assert.rejects(aborted, { message: 'enough' })
    first.resolve('first')
    assert.equal(await running, 'first')
    assert.equal(await patient, 'third')
    assert.equal(ran, false)
    await assert.rejects(
      limiter(() => Promise.resolve(1), { signal: controller.signal }),
      { message: 'enough' },
    )
  })
})

describe('a limiter of several parties', () => {
  /** Work that records its start, and ends on demand. */
  const noted = () => {
    const begun: string[] = []
    const ends = new Map<string, () => void>()
    const work = (name: string) => () => {
      begun.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    }
    const end = async (name: string): Promise<void> => {
      ends.get(name)?.()
      await settle()
    }
    return { begun, work, end }
  }

  test('serves the party with the fewest running jobs first, and among equals the one that has waited longest for a turn', async () => {
    const { begun, work, end } = noted()
    const limiter = createLimiter(2, 2)
    const wanted = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1']
    const all = wanted.map((name) => limiter(work(name), { party: name.slice(0, 1) }))
    await settle()
    const order = ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4', 'a5']
    for (const name of order) await end(name)
    await Promise.all(all)
    assert.deepEqual(begun, order)
  })

  test('caps each party, so that another finds a place at once', async () => {
    const { begun, work, end } = noted()
    const limiter = createLimiter(3, 2)
    const of = (party: string, ...names: string[]) => names.map((name) => limiter(work(name), { party }))
    const all = of('a', 'a1', 'a2', 'a3')
    await settle()
    assert.deepEqual(begun, ['a1', 'a2'])
    all.push(...of('b', 'b1', 'b2'))
    await settle()
    assert.deepEqual(begun, ['a1', 'a2', 'b1'])
    await end('a1')
    assert.deepEqual(begun, ['a1', 'a2', 'b1', 'a3'])
    for (const name of ['a2', 'a3', 'b1', 'b2']) await end(name)
    await Promise.all(all)
  })

  test('remembers turns, so that a party that sends jobs one at a time is not new each time', async () => {
    const { begun, work, end } = noted()
    const limiter = createLimiter(1)
    const run = (name: string) => limiter(work(name), { party: name.slice(0, 1) })
    const all = [run('a1')]
    await settle()
    await end('a1')
    all.push(run('b1'), run('a2'), run('c1'))
    await settle()
    for (const name of ['b1', 'c1', 'a2']) await end(name)
    await Promise.all(all)
    assert.deepEqual(begun, ['a1', 'b1', 'c1', 'a2'])
  })

  test('serves urgent work first, and refuses it last', async () => {
    const { begun, work, end } = noted()
    const limiter = createLimiter(1, 1, { max: 3 })
    const refused: string[] = []
    const run = (name: string) =>
      limiter(work(name), { party: name.slice(0, 1), isUrgent: name.startsWith('u') }).catch(() =>
        refused.push(name),
      )
    const all = ['a1', 'a2', 'b1', 'u1', 'u2', 'c1'].map(run)
    await settle()
    assert.deepEqual(refused, ['a2', 'c1'])
    for (const name of ['a1', 'u1', 'u2', 'b1']) await end(name)
    await Promise.all(all)
    assert.deepEqual(begun, ['a1', 'u1', 'u2', 'b1'])
  })

  test('drops jobs that have waited too long, and no others', async () => {
    const { begun, work, end } = noted()
    const limiter = createLimiter(Number.POSITIVE_INFINITY, 1)
    const first = limiter(work('a1'), { party: 'a', maxWaitMs: 5 })
    const impatient = limiter(work('a2'), { party: 'a', maxWaitMs: 5 })
    const patient = limiter(work('a3'), { party: 'a', maxWaitMs: 60_000 })
    const other = limiter(work('b1'), { party: 'b', maxWaitMs: 5 })
    await assert.rejects(impatient, WaitedTooLong)
    assert.deepEqual(begun, ['a1', 'b1'])
    for (const name of ['a1', 'a3', 'b1']) await end(name)
    await Promise.all([first, patient, other])
    assert.deepEqual(begun, ['a1', 'b1', 'a3'])
  })

  test('refuses the newest job of the party with the most waiting when the queue is full', async () => {
    const { begun, work, end } = noted()
    const limiter = createLimiter(1, 1, { max: 4 })
    const refused: string[] = []
    const wanted = ['a0', 'a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3', 'c1', 'a5']
    const all = wanted.map((name) =>
      limiter(work(name), { party: name.slice(0, 1) }).catch((error: unknown) => {
        assert.ok(error instanceof WaitedTooLong)
        refused.push(name)
      }),
    )
    await settle()
    // `b1` and `b2` each displace one of `a`; `b3` would give `b` the most; `c1` displaces `a2`; `a5` is not better off than `b`.
    assert.deepEqual(refused, ['a4', 'a3', 'b3', 'a2', 'a5'])
    assert.deepEqual(['a', 'b', 'c', 'd'].map(limiter.waiting), [1, 2, 1, 0])
    for (const name of ['a0', 'b1', 'c1', 'a1', 'b2']) await end(name)
    await Promise.all(all)
    assert.deepEqual(begun, ['a0', 'b1', 'c1', 'a1', 'b2'])
  })

  test('refuses a party at its maximum of running and waiting jobs, and no other', async () => {
    const { begun, work, end } = noted()
    const limiter = createLimiter(1, 1, { maxEach: 2 })
    const all = ['a1', 'a2'].map((name) => limiter(work(name), { party: 'a' }))
    await assert.rejects(limiter(work('a3'), { party: 'a' }), WaitedTooLong)
    all.push(limiter(work('b1'), { party: 'b' }))
    for (const name of ['a1', 'b1', 'a2']) await end(name)
    await Promise.all(all)
    assert.deepEqual(begun, ['a1', 'b1', 'a2'])
  })

  test('forgets a party whose only work is aborted', async () => {
    const { work, end } = noted()
    const limiter = createLimiter(1, 1)
    const first = limiter(work('a'), { party: 'a' })
    const controller = new AbortController()
    const aborted = limiter(work('b'), { party: 'b', signal: controller.signal })
    const third = limiter(work('c'), { party: 'c' })
    controller.abort(new Error('enough'))
    await assert.rejects(aborted, { message: 'enough' })
    await end('a')
    await end('c')
    await Promise.all([first, third])
  })
})

describe('abortable', () => {
  test('gives the outcome, or the abort reason at once', async () => {
    const controller = new AbortController()
    assert.equal(await abortable(Promise.resolve(1), undefined), 1)
    assert.equal(await abortable(Promise.resolve(1), controller.signal), 1)
    await assert.rejects(abortable(Promise.reject(new Error('own')), controller.signal), { message: 'own' })
    const endless = abortable(new Promise(() => {}), controller.signal)
    controller.abort(new Error('enough'))
    await assert.rejects(endless, { message: 'enough' })
    await assert.rejects(abortable(new Promise(() => {}), controller.signal), { message: 'enough' })
  })
})

/** When a failing service is left alone, and when it is tried again. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Breaker, createBreaker } from '../../src/platform/breaker.ts'
import { ServiceFailure } from '../../src/platform/outside-service.ts'

/** A request in progress; each of its functions ends it. */
type Sent = {
  succeeded(): Promise<void>
  failed(): Promise<void>
  forbidden(): Promise<void>
  blocked(pauseMs: number | null): Promise<void>
  abandoned(): Promise<void>
}

function start(): { breaker: Breaker; time: { now: number }; changes: string[]; send(): Sent } {
  const time = { now: 0 }
  const changes: string[] = []
  const breaker = createBreaker({
    now: () => time.now,
    threshold: 3,
    pauseMs: 1_000,
    maxPauseMs: 3_000,
    onChange: (state) => void changes.push(state),
  })
  const send = (): Sent => {
    const answer = Promise.withResolvers<string>()
    let isSent = false
    const outcome = breaker.run(() => {
      isSent = true
      return answer.promise
    })
    assert.ok(isSent, 'not sent')
    const failWith = async (error: Error): Promise<void> => {
      answer.reject(error)
      await assert.rejects(outcome, error)
    }
    return {
      async succeeded() {
        answer.resolve('answer')
        assert.equal(await outcome, 'answer')
      },
      failed: () => failWith(new ServiceFailure('down', 'It is down.')),
      forbidden: () => failWith(new ServiceFailure('forbidden', 'It is not allowed.')),
      blocked: (pauseMs) => failWith(new ServiceFailure('blocked', 'It is busy.', { pauseMs })),
      abandoned: () => failWith(new Error('aborted')),
    }
  }
  return { breaker, time, changes, send }
}

const isRefused = async (breaker: Breaker): Promise<boolean> =>
  (await breaker.run(() => assert.fail('sent'))) === null

/** Opens the breaker at time 0, for one second. */
async function opened() {
  const started = start()
  for (let i = 0; i < 3; i += 1) await started.send().failed()
  return started
}

describe('the breaker', () => {
  test('opens after a number of consecutive failures', async () => {
    const { breaker, send, changes } = start()
    await send().failed()
    await send().failed()
    await send().succeeded()
    await send().failed()
    await send().failed()
    assert.equal(breaker.isOpen(), false)
    await send().failed()
    assert.equal(breaker.isOpen(), true)
    assert.equal(await isRefused(breaker), true)
    assert.deepEqual(changes, ['open'])
  })

  test('allows one trial after the pause, and closes when it succeeds', async () => {
    const { breaker, time, send, changes } = await opened()
    time.now = 999
    assert.equal(await isRefused(breaker), true)
    time.now = 1_000
    assert.equal(breaker.isOpen(), false)
    const trial = send()
    assert.equal(breaker.isOpen(), true)
    assert.equal(await isRefused(breaker), true)
    await trial.succeeded()
    assert.equal(breaker.isOpen(), false)
    await send().failed()
    assert.equal(breaker.isOpen(), false, 'the failures are counted anew')
    assert.deepEqual(changes, ['open', 'closed'])
  })

  test('pauses longer after each failed trial, up to a maximum, and starts over after a success', async () => {
    const { breaker, time, send, changes } = await opened()
    for (const pause of [1_000, 2_000, 3_000, 3_000]) {
      time.now += pause - 1
      assert.equal(await isRefused(breaker), true)
      time.now += 1
      await send().failed()
    }
    assert.deepEqual(changes, ['open'])
    time.now += 3_000
    await send().succeeded()
    for (let i = 0; i < 3; i += 1) await send().failed()
    time.now += 1_000
    send()
  })

  test('ignores an abandoned trial, and allows another', async () => {
    const { time, send, breaker } = await opened()
    time.now = 1_000
    await send().abandoned()
    assert.equal(breaker.isOpen(), false)
    await send().succeeded()
  })

  test('opens at once when the service asks for a pause, for that long', async () => {
    const { breaker, time, send } = start()
    await send().blocked(60_000)
    time.now = 59_999
    assert.equal(await isRefused(breaker), true)
    time.now = 60_000
    await send().blocked(null)
    time.now += 1_999
    assert.equal(await isRefused(breaker), true)
  })

  test('opens for forbidden requests only after several in a row', async () => {
    const { breaker, send } = start()
    await send().forbidden()
    await send().forbidden()
    await send().succeeded()
    await send().forbidden()
    await send().forbidden()
    assert.equal(breaker.isOpen(), false)
    await send().forbidden()
    assert.equal(breaker.isOpen(), true)
  })

  test('ignores failures of requests sent before it opened, but closes when one of them succeeds', async () => {
    const { breaker, time, send } = start()
    const [slow, lucky] = [send(), send()]
    for (let i = 0; i < 3; i += 1) await send().failed()
    time.now = 900
    await slow.failed()
    time.now = 1_000
    assert.equal(breaker.isOpen(), false)
    await send().failed()
    assert.equal(breaker.isOpen(), true)
    await lucky.succeeded()
    assert.equal(breaker.isOpen(), false)
  })
})

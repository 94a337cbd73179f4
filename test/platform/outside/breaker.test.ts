/** When a failing service is left alone, and when it is tried again. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Breaker, createBreaker } from '../../../src/platform/outside/breaker.ts'
import { ServiceFailure } from '../../../src/platform/outside/outside-service.ts'

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
    onChange: (state) => void changes.push(state),
  })
  const send = (): Sent => {
    const response = Promise.withResolvers<string>()
    let isSent = false
    const outcome = breaker.run(() => {
      isSent = true
      return response.promise
    })
    assert.ok(isSent, 'not sent')
    const failWith = async (error: Error): Promise<void> => {
      response.reject(error)
      await assert.rejects(outcome, error)
    }
    return {
      async succeeded() {
        response.resolve('result')
        assert.equal(await outcome, 'result')
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

async function failTimes(count: number, send: () => Sent): Promise<void> {
  for (let i = 0; i < count; i += 1) await send().failed()
}

/** Opens the breaker at time 0, for ten seconds. */
async function opened() {
  const started = start()
  await failTimes(5, started.send)
  return started
}

describe('the breaker', () => {
  test('opens after a number of consecutive failures', async () => {
    const { breaker, send, changes } = start()
    await failTimes(4, send)
    await send().succeeded()
    await failTimes(4, send)
    assert.equal(breaker.isOpen(), false)
    await send().failed()
    assert.equal(breaker.isOpen(), true)
    assert.equal(await isRefused(breaker), true)
    assert.deepEqual(changes, ['open'])
  })

  test('allows one trial after the pause, and closes when it succeeds', async () => {
    const { breaker, time, send, changes } = await opened()
    time.now = 9_999
    assert.equal(await isRefused(breaker), true)
    time.now = 10_000
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
    for (const pause of [10_000, 20_000, 40_000, 60_000, 60_000]) {
      time.now += pause - 1
      assert.equal(await isRefused(breaker), true)
      time.now += 1
      await send().failed()
    }
    assert.deepEqual(changes, ['open'])
    time.now += 60_000
    await send().succeeded()
    await failTimes(5, send)
    time.now += 10_000
    send()
  })

  test('ignores an abandoned trial, and allows another', async () => {
    const { time, send, breaker } = await opened()
    time.now = 10_000
    await send().abandoned()
    assert.equal(breaker.isOpen(), false)
    await send().succeeded()
  })

  test('opens at once when the service asks for a pause, for that long', async () => {
    const { breaker, time, send } = start()
    await send().blocked(600_000)
    time.now = 599_999
    assert.equal(await isRefused(breaker), true)
    time.now = 600_000
    await send().blocked(null)
    time.now += 19_999
    assert.equal(await isRefused(breaker), true)
  })

  test('opens for forbidden requests only after several in a row', async () => {
    const { breaker, send } = start()
    const forbidFourTimes = async () => {
      for (let i = 0; i < 4; i += 1) await send().forbidden()
    }
    await forbidFourTimes()
    await send().succeeded()
    await forbidFourTimes()
    assert.equal(breaker.isOpen(), false)
    await send().forbidden()
    assert.equal(breaker.isOpen(), true)
  })

  test('ignores failures of requests sent before it opened, but closes when one of them succeeds', async () => {
    const { breaker, time, send } = start()
    const [slow, lucky] = [send(), send()]
    await failTimes(5, send)
    time.now = 9_000
    await slow.failed()
    time.now = 10_000
    assert.equal(breaker.isOpen(), false)
    await send().failed()
    assert.equal(breaker.isOpen(), true)
    await lucky.succeeded()
    assert.equal(breaker.isOpen(), false)
  })
})

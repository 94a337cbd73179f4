/** When a failing service is left alone, and when it is tried again. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Breaker, createBreaker } from '../../src/limits/breaker.ts'
import { ProviderFailure } from '../../src/listings/geocoding/client.ts'

/** A request under way; each of its functions ends it. */
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
    failureOf: (error) => (error instanceof ProviderFailure ? error : null),
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
      failed: () => failWith(new ProviderFailure('down', 'It is down.')),
      forbidden: () => failWith(new ProviderFailure('forbidden', 'It is not allowed.')),
      blocked: (pauseMs) => failWith(new ProviderFailure('blocked', 'It is busy.', { pauseMs })),
      abandoned: () => failWith(new Error('aborted')),
    }
  }
  return { breaker, time, changes, send }
}

const isRefused = async (breaker: Breaker): Promise<boolean> =>
  (await breaker.run(() => assert.fail('sent'))) === null

/** Opens it at the time 0, for a second. */
async function opened() {
  const started = start()
  for (let i = 0; i < 3; i += 1) await started.send().failed()
  return started
}

describe('the breaker', () => {
  test('opens at so many failures in a row', async () => {
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

  test('lets one trial after the pause, and closes when that succeeds', async () => {
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

  test('pauses longer after each failed trial, up to a limit, and the first time again after a success', async () => {
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

  test('an abandoned trial is neither, and leaves room for another', async () => {
    const { time, send, breaker } = await opened()
    time.now = 1_000
    await send().abandoned()
    assert.equal(breaker.isOpen(), false)
    await send().succeeded()
  })

  test('opens at once for a service that wants no requests, for as long as that wants', async () => {
    const { breaker, time, send } = start()
    await send().blocked(60_000)
    time.now = 59_999
    assert.equal(await isRefused(breaker), true)
    time.now = 60_000
    await send().blocked(null)
    time.now += 1_999
    assert.equal(await isRefused(breaker), true)
  })

  test('opens for what is forbidden only if several in a row are', async () => {
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

  test('what was sent before it opened prolongs nothing when it fails, and closes it when it succeeds', async () => {
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

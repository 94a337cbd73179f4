/** When a failing service is left alone, and when it is tried again. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Breaker, createBreaker, type Pass } from '../../src/geocoding/breaker.ts'

function start(): { breaker: Breaker; time: { now: number }; changes: string[]; enter(): Pass } {
  const time = { now: 0 }
  const changes: string[] = []
  const breaker = createBreaker({
    now: () => time.now,
    threshold: 3,
    pauseMs: 1_000,
    maxPauseMs: 3_000,
    onChange: (state) => void changes.push(state),
  })
  const enter = (): Pass => {
    const pass = breaker.enter()
    assert.ok(pass !== null, 'no pass')
    return pass
  }
  return { breaker, time, changes, enter }
}

/** Opens it at the time 0, for a second. */
function opened() {
  const started = start()
  for (let i = 0; i < 3; i += 1) started.enter().failed()
  return started
}

describe('the breaker', () => {
  test('opens at so many failures in a row', () => {
    const { breaker, enter, changes } = start()
    enter().failed()
    enter().failed()
    enter().succeeded()
    enter().failed()
    enter().failed()
    assert.equal(breaker.isOpen(), false)
    enter().failed()
    assert.equal(breaker.isOpen(), true)
    assert.equal(breaker.enter(), null)
    assert.deepEqual(changes, ['open'])
  })

  test('lets one try after the pause, and closes when that succeeds', () => {
    const { breaker, time, enter, changes } = opened()
    time.now = 999
    assert.equal(breaker.enter(), null)
    time.now = 1_000
    assert.equal(breaker.isOpen(), false)
    const pass = enter()
    assert.equal(breaker.isOpen(), true)
    assert.equal(breaker.enter(), null)
    pass.succeeded()
    assert.equal(breaker.isOpen(), false)
    enter().failed()
    assert.equal(breaker.isOpen(), false, 'the failures are counted anew')
    assert.deepEqual(changes, ['open', 'closed'])
  })

  test('pauses longer after each failed try, up to a limit, and the first time again after a success', () => {
    const { breaker, time, enter, changes } = opened()
    for (const pause of [1_000, 2_000, 3_000, 3_000]) {
      time.now += pause - 1
      assert.equal(breaker.enter(), null)
      time.now += 1
      enter().failed()
    }
    assert.deepEqual(changes, ['open'])
    time.now += 3_000
    enter().succeeded()
    for (let i = 0; i < 3; i += 1) enter().failed()
    time.now += 1_000
    enter()
  })

  test('an abandoned try is neither, and leaves room for another', () => {
    const { time, enter, breaker } = opened()
    time.now = 1_000
    enter().abandoned()
    assert.equal(breaker.isOpen(), false)
    enter().succeeded()
  })

  test('opens at once for a service that wants no requests, for as long as that wants', () => {
    const { breaker, time, enter } = start()
    enter().blocked(60_000)
    time.now = 59_999
    assert.equal(breaker.enter(), null)
    time.now = 60_000
    enter().blocked(null)
    time.now += 1_999
    assert.equal(breaker.enter(), null)
  })

  test('what was sent before it opened prolongs nothing when it fails, and closes it when it succeeds', () => {
    const { breaker, time, enter } = start()
    const [slow, lucky] = [enter(), enter()]
    for (let i = 0; i < 3; i += 1) enter().failed()
    time.now = 900
    slow.failed()
    time.now = 1_000
    assert.equal(breaker.isOpen(), false)
    enter().failed()
    assert.equal(breaker.isOpen(), true)
    lucky.succeeded()
    assert.equal(breaker.isOpen(), false)
  })
})

/**
 * A crowd in a separate process, because its work would delay the process that measures. It signs in with wrong passwords from many IPs of
 * the loopback, evenly and without waiting for responses, and reports the status of each. It reports once when it is ready, and waits for a
 * CrowdOrder.
 */
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { type CrowdOrder, postSignIn } from './sign-in.ts'

process.send?.('ready')
const [order] = (await once(process, 'message')) as [CrowdOrder]
const { url, form, networks, guesses, seconds } = order
const sent: Promise<void>[] = []
const began = performance.now()
for (let number = 0; number < networks * guesses; number += 1) {
  const due = began + (number / (networks * guesses)) * seconds * 1_000
  await delay(Math.max(0, due - performance.now()))
  const from = `127.0.1.${1 + (number % networks)}`
  sent.push(
    postSignIn(url, form, from, `nobody-${number}@acme.example`, 'not a password').then(
      ({ status, ms }) => void process.send?.({ status, ms }),
      () => void process.send?.({ status: 0, ms: 0 }),
    ),
  )
}
await Promise.all(sent)
process.disconnect?.()

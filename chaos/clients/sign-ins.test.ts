/**
 * A crowd guesses passwords from 40 networks. Hashing its guesses must not slow down an agency's photos, pages, API requests or sign-in.
 */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { compareWithQuiet, type Visit } from '../support/bystander.ts'
import { newService, type Service } from '../support/service.ts'
import {
  type SignInResponse,
  askFrom,
  type CrowdOrder,
  openSignIn,
  postSignIn,
  type SignInForm,
} from './sign-in.ts'

const seconds = 10
/** 120 guesses a second: several times what two cores can hash, and half of a network's hourly limit. */
const crowd = { networks: 40, guesses: 30, seconds }
const home = '127.0.2.1'
const everyMs = 500
/** An upper bound, not a measurement: a correct password waits for a hash in progress, then needs one itself. */
const signedInWithinMs = 3_000

let service: Service
let form: SignInForm
let owner: { email: string; password: string }
let visits: Visit[]
before(async () => {
  service = await newService({ DEMO: 'on' })
  await service.start()
  const greeting = service.said()
  const key = /Key to read +(\S+)/.exec(greeting)?.[1] ?? ''
  const agency = new URL(/Public page +(\S+)/.exec(greeting)?.[1] ?? '').pathname
  const [, email = '', password = ''] = /agency +(\S+@\S+) +(\S+)/.exec(greeting) ?? []
  owner = { email, password }
  form = await openSignIn(service.url)
  const { text } = await askFrom(service.url + agency, home)
  const listing = /href="(\/inmobiliarias\/[^/"]+\/[A-Z0-9]{8})"/.exec(text)?.[1] ?? ''
  const photo = /src="(\/photos\/[^"]+)"/.exec(text)?.[1] ?? ''
  const visitTo =
    (path: string, headers?: Record<string, string>): Visit =>
    async () => {
      const { status } = await askFrom(service.url + path, home, headers)
      return status === 200 ? null : `${path}: ${status}`
    }
  visits = [
    visitTo(photo),
    visitTo(listing),
    visitTo(agency),
    visitTo('/api/v1/properties?per_page=5', { 'x-api-key': key }),
  ]
})
after(() => service.end())

type Guess = { status: number; ms: number }

/** Starts the crowd. @returns its responses so far, and a promise for its end */
async function startCrowd(): Promise<{ guesses: Guess[]; isOver: Promise<unknown> }> {
  const guesses: Guess[] = []
  const child = fork(new URL('sign-in-crowd.ts', import.meta.url))
  const isOver = once(child, 'exit')
  await once(child, 'message')
  child.on('message', (guess) => guesses.push(guess as Guess))
  child.send({ url: service.url, form, ...crowd } satisfies CrowdOrder)
  return { guesses, isOver }
}

const signInFromHome = (): Promise<SignInResponse> =>
  postSignIn(service.url, form, home, owner.email, owner.password)

test(`${crowd.networks * crowd.guesses} guesses in ${seconds} s, from ${crowd.networks} networks`, async (context) => {
  await signInFromHome()
  const quiet = await signInFromHome()
  let guesses: Guess[] = []
  const own: SignInResponse[] = []
  await compareWithQuiet(
    context,
    visits,
    async () => {
      const attack = await startCrowd()
      guesses = attack.guesses
      const stop = new AbortController()
      const signingIn = (async () => {
        while (!stop.signal.aborted) {
          await delay(everyMs)
          own.push(await signInFromHome())
        }
      })()
      return async () => {
        stop.abort()
        await Promise.all([signingIn, attack.isOver])
        context.diagnostic(
          `own sign-in:  ${rounded(quiet)} ms; under attack ${own.map(rounded).join(', ')} ms`,
        )
        context.diagnostic(`guesses:      ${summary(guesses)}`)
      }
    },
    seconds,
  )
  assert.deepEqual(new Set(own.map(({ status }) => status)), new Set([303]))
  assert.ok(Math.max(...own.map(({ ms }) => ms)) < signedInWithinMs)
  assert.deepEqual(
    guesses.filter(({ status }) => status !== 400 && status !== 503),
    [],
  )
})

const rounded = ({ ms }: { ms: number }): number => Math.round(ms)

function summary(guesses: readonly Guess[]): string {
  const byStatus = [...Map.groupBy(guesses, ({ status }) => status)]
  return byStatus
    .map(([status, those]) => `${those.length} × ${status}, slowest ${Math.max(...those.map(rounded))} ms`)
    .join('; ')
}

/**
 * Runs argon2 in a helper process, few at a time and in turn by network. In this process each hash would hold one of libuv's four threads,
 * which read photos, for a twentieth of a second.
 */
import type { Argon2Parameters } from 'node:crypto'
import { createLimiter, refuseLongWait } from '../../../platform/concurrency.ts'
import { subjectOf } from '../../../limits/subject.ts'
import { hashingBudgets } from '../../../limits/sizes.ts'
import { boundedMap } from '../../../platform/memory/bounded-map.ts'
import { helperProcess } from './helper-process.ts'

/** Argon2id. */
export type Derive = (parameters: Argon2Parameters) => Promise<Uint8Array>

/** Starting the helper takes about as long as a hash. */
const idleMs = 60_000
const derive: Derive = helperProcess<Argon2Parameters, Uint8Array>('hash-process.ts', idleMs)
const { atOnce, waiting, waitSeconds } = hashingBudgets
const limiter = createLimiter(atOnce, atOnce, { max: waiting })
/** Networks with a sign-in since this process started. */
const trusted = boundedMap<string, true>({ max: 10_000 })

/** The client of a hash. A session or a link identifies it; any other client is a stranger. */
export type HashClient = Readonly<{ ip: string; isStranger: boolean }>

/**
 * Runs work that hashes a password in a slot. Networks take turns; strangers come last, unless somebody has signed in from their network.
 * The attempt's statements are part of the work, so that a flood does not occupy the database's connections either.
 * @throws ApiError `service_unavailable` when too many wait, or for too long; as the work does
 */
export async function inHashingSlot<T>({ ip, isStranger }: HashClient, work: (derive: Derive) => Promise<T>) {
  const network = subjectOf(ip)
  const isUrgent = !isStranger || trusted.get(network) === true
  const party = `${isUrgent ? 'known' : 'unknown'} ${network}`
  return await limiter(() => work(derive), { party, isUrgent, maxWaitMs: waitSeconds * 1_000 }).catch(
    refuseLongWait({
      message: 'Too many people are signing in. Try again in a moment.',
      reason: 'busy',
      retryAfter: waitSeconds,
    }),
  )
}

/** Records a sign-in, so that the network's next client does not wait behind strangers. */
export function trustNetwork(ip: string): void {
  trusted.set(subjectOf(ip), true)
}

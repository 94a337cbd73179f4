/**
 * Challenges for passkeys, each good for one purpose, in one browser, once, for five minutes. The form holds its challenge sealed, so
 * requesting one writes nothing; the response stores that it was used.
 */
import { hash, randomBytes } from 'node:crypto'
import { challengeSeconds } from '../../../limits/sizes.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Tx } from '../../../platform/db/statements/connection.ts'
import { fromNow } from '../../../platform/db/statements/now.ts'
import { reaper } from '../../../platform/db/upkeep/reaper.ts'
import { invalid } from '../../../platform/errors/errors.ts'
import { openToken, sealToken } from '../../secrets/sealed-token.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'

/** `formToken` binds it to the forms of one browser and session. */
export type Purpose = Readonly<{ act: 'sign in' | 'confirm' | 'add'; formToken: string }>

type ChallengeDeps = Readonly<{ secretBox: SecretBox; clock: Clock }>

const markOf = ({ act }: Purpose): string => `passkey ${act}`

/** A challenge in base64url, and the token that holds it. */
export function newChallenge({ secretBox, clock }: ChallengeDeps, purpose: Purpose) {
  const challenge = randomBytes(32).toString('base64url')
  const parts = [challenge, purpose.formToken, String(Date.now() + clock.offsetMs)]
  return { challenge, token: sealToken(secretBox, markOf(purpose), parts) }
}

/** The token's challenge. @throws ApiError 400 `passkey` */
export function openChallenge({ secretBox, clock }: ChallengeDeps, purpose: Purpose, token: string): string {
  const [challenge = '', formToken, at] = openToken(secretBox, markOf(purpose), token) ?? []
  const age = Date.now() + clock.offsetMs - Number(at)
  if (formToken !== purpose.formToken || !(age < challengeSeconds * 1_000)) throw staleChallenge()
  return challenge
}

/** @throws ApiError 400 `passkey` if it was used before */
export async function useChallenge(tx: Tx, challenge: string, clock: Clock): Promise<void> {
  const used = await tx
    .insertInto('used_challenges')
    // Twice its time, in case the instances' clocks differ.
    .values({
      challenge_hash: hash('sha256', challenge, 'buffer'),
      expires_at: fromNow(clock, 2 * challengeSeconds),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('expires_at')
    .executeTakeFirst()
  if (used === undefined) throw staleChallenge()
}

function staleChallenge() {
  return invalid('passkey', 'This request was used or has expired. Try again.', 'stale_challenge')
}

export const reapChallenges = reaper({
  table: 'used_challenges',
  key: 'challenge_hash',
  column: 'expires_at',
})

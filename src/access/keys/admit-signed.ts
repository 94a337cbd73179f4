/** Admits a request of a key that requires signatures, once its body is there: one statement uses up the signature and charges the key. */
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { type Limits, signatureSeconds } from '../../limits/table.ts'
import { type Admitted, giveBack, type Kind, maximaOf, measured, passageOf, recordOf } from './admission.ts'
import { type KeyState, type Need, refusalOf } from './judge.ts'
import { admitSignedKey, type SignatureFault } from './key-rows.ts'

/** A signature that matches its request. `signedAt`: the request's timestamp, in seconds. */
export type Signature = Readonly<{ bytes: Buffer; signedAt: number }>

/**
 * @param known the key, as it was read before the body
 * @returns the fault of the signature, or the key with the outcome of the request; null if the key is gone
 */
export async function admitSigned(
  { db, clock, config: { limits } }: Readonly<{ db: Db; clock: Clock; config: { limits: Limits } }>,
  { key, agency }: KeyState,
  { bytes, signedAt }: Signature,
  request: Need & Readonly<{ kind: Kind }>,
): Promise<Admitted | SignatureFault | null> {
  const cost = { reads: 0, writes: 0, [request.kind]: 1 }
  const of = [agency.id, key.id, bytes, signedAt, signatureSeconds, clock.offsetMs]
  const [row] = await measured(() =>
    admitSignedKey(db, [...of, cost.reads, cost.writes, ...maximaOf(limits)]),
  )
  if (row === undefined) return null
  if (row.fault !== null) return row.fault
  const record = recordOf(row, limits)
  const refusal = refusalOf(record, request)
  const granted = { reads: row.granted_reads, writes: row.granted_writes }
  if (refusal === null)
    return { record, refusal, passage: passageOf(row, request.kind, granted[request.kind], 0) }
  await giveBack(db, row, granted)
  return { record, refusal, passage: null }
}

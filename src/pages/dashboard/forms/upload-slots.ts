/**
 * Bounds the uploads in progress, whose files are in memory. A slow sender cannot keep others waiting: an upload gets a slot only once its
 * first bytes have arrived, and while others wait for a slot, the slowest upload is aborted.
 */
import { ApiError } from '../../../platform/errors/errors.ts'
import { createLimiter, refuseLongWait } from '../../../platform/concurrency.ts'
import { uploadBudgets } from '../../../limits/sizes.ts'

/** An upload that needs a slot. */
export type Arriving = {
  /** The agency that pays (limits/real-agency.ts). */
  payer: string
  /** Aborts the wait for a slot. */
  signal: AbortSignal
  /** Bytes that have arrived. */
  arrived(): number
  /** Whether it has arrived completely. The work then holds the slot, not a slow sender. */
  isWhole(): boolean
  /** Aborts it. */
  fail(error: ApiError): void
}

/**
 * Runs the work while the upload has a slot.
 * @throws ApiError 503 if no slot became free in time; the reason of the signal when that aborts
 */
type UploadSlots = <T>(upload: Arriving, work: () => Promise<T>) => Promise<T>

type Budgets = Partial<Record<keyof typeof uploadBudgets, number>>

type Holder = { upload: Arriving; since: number; arrivedBefore: number }

/** The slots of a process, apart from those of downloads. @param now in milliseconds */
export function openUploadSlots(budgets: Budgets = {}, now = () => performance.now()): UploadSlots {
  const { slots, slotsEach, waitSeconds, patienceSeconds, graceSeconds } = { ...uploadBudgets, ...budgets }
  const limiter = createLimiter(slots, slotsEach)
  const holders = new Set<Holder>()

  /** Bytes per millisecond since it got its slot. */
  const rateOf = ({ upload, since, arrivedBefore }: Holder): number =>
    (upload.arrived() - arrivedBefore) / Math.max(1, now() - since)

  /** Aborts the slowest upload if all slots are taken, and the payer has fewer than its share. */
  const abortSlowest = (payer: string): void => {
    const own = [...holders].filter(({ upload }) => upload.payer === payer)
    if (holders.size < slots || own.length >= slotsEach) return
    const [slowest] = [...holders]
      .filter(
        ({ upload, since }) =>
          !upload.isWhole() && !upload.signal.aborted && now() - since >= graceSeconds * 1_000,
      )
      .sort((one, other) => rateOf(one) - rateOf(other))
    slowest?.upload.fail(new ApiError('request_timeout'))
  }

  return async (upload, work) => {
    const impatience = setInterval(() => abortSlowest(upload.payer), patienceSeconds * 1_000)
    const inSlot = async () => {
      clearInterval(impatience)
      const holder = { upload, since: now(), arrivedBefore: upload.arrived() }
      holders.add(holder)
      try {
        return await work()
      } finally {
        holders.delete(holder)
      }
    }
    const { payer: party, signal } = upload
    return await limiter(inSlot, { party, signal, maxWaitMs: waitSeconds * 1_000 })
      .catch(refuseLongWait())
      .finally(() => clearInterval(impatience))
  }
}

/**
 * One write's share of this process's photo slots: how many pictures at a time, and for how long. Agencies take turns for slots, so that
 * slow or many photos of one do not delay the others.
 */
import { createLimiter } from '../../platform/concurrency.ts'
import { photoBudgets } from '../../limits/sizes.ts'
import { PhotoDelayed } from './failure.ts'

/** One write's share; the items of a batch share it. */
export type PhotoShare = {
  /** The agency that pays (limits/real-agency.ts). */
  payer: string
  /**
   * Runs the work when it has a slot.
   * @throws PhotoDelayed when others held all slots until `ends`; the reason of `ends` or of the signal when it aborts
   */
  take<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Aborts when the time for the photos is over. */
  ends: AbortSignal
}

/** Slots of this process, each for one picture from download to stored files: up to 10 MB of memory. */
const slotsOfProcess = 20
/** A quarter: three agencies whose sources hang leave slots to a fourth. */
const slotsOfAgency = 5
/** One less: a write with slow sources leaves a slot to its agency's other writes. */
const slotsOfWrite = 4
const slotsHere = createLimiter(slotsOfProcess, slotsOfAgency)

// Together less than the 60 s that clients and proxies should wait (documented), with time left for the transaction and the response.
const defaultTimes = {
  untilFirstMs: photoBudgets.waitSeconds * 1_000,
  fromFirstMs: photoBudgets.writeSeconds * 1_000,
}

/**
 * The share of a write that begins now. Its time starts with its first slot; the wait for that has its own limit.
 * @param payer the agency whose slots it takes (limits/real-agency.ts)
 * @param slots the process's slots
 */
export function openPhotoShare(
  payer: string,
  { untilFirstMs, fromFirstMs } = defaultTimes,
  slots = slotsHere,
): PhotoShare {
  const own = createLimiter(slotsOfWrite)
  const over = new AbortController()
  const endAfter = (ms: number) => setTimeout(() => over.abort(new Error('no time left')), ms).unref()
  let timer = endAfter(untilFirstMs)
  let hasBegun = false
  const begin = (): void => {
    if (hasBegun) return
    hasBegun = true
    clearTimeout(timer)
    timer = endAfter(fromFirstMs)
  }
  return {
    payer,
    ends: over.signal,
    take: (work, signal) => {
      const stops = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal])
      return own(
        async () => {
          let hasSlot = false
          try {
            return await slots(
              () => {
                hasSlot = true
                begin()
                return work()
              },
              { party: payer, signal: stops },
            )
          } catch (error) {
            if (hasSlot || error !== over.signal.reason) throw error
            throw new PhotoDelayed({ kind: 'busy' })
          }
        },
        { signal: stops },
      )
    },
  }
}

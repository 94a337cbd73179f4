/**
 * The part that one write has in this process's work on photos: how many of its pictures are in hand at a time, and for how long.
 * Places go round the agencies, so that one with slow or many photos costs the others none of theirs.
 */
import { createFairLimiter, createLimiter } from '../limits/concurrency.ts'
import { PhotoDelayed } from './failure.ts'

/** Of one write; the items of a batch have one in common. */
export type PhotoShare = {
  agencyId: string
  /**
   * Runs the work once a place is had.
   * @throws PhotoDelayed when others had all places until `ends`; the reason of `ends`, or of the signal, when that aborts
   */
  take<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Aborts when the time for the photos is over. */
  ends: AbortSignal
}

/** Pictures in hand at a time in this process, from the download to the stored files: 10 MB of memory each at most. */
const placesOfProcess = 20
/** A quarter: three agencies whose sources hang leave a fourth what it can use. */
const placesOfAgency = 5
/** One less: a write with slow sources does not stop the others of its agency. */
const placesOfWrite = 4
const placesHere = createFairLimiter(placesOfProcess, placesOfAgency)

// Together less than the lease of an Idempotency-Key, 60 s, with something left for the transaction and the answer.
const defaultTimes = { untilFirstMs: 10_000, fromFirstMs: 40_000 }

/**
 * The share of a write that begins now. Its time counts from its first place on: waiting for that has a limit of its own.
 * @param places those of this process
 */
export function openPhotoShare(
  agencyId: string,
  { untilFirstMs, fromFirstMs } = defaultTimes,
  places = placesHere,
): PhotoShare {
  const own = createLimiter(placesOfWrite)
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
    agencyId,
    ends: over.signal,
    take: (work, signal) => {
      const stops = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal])
      return own(async () => {
        let isIn = false
        try {
          return await places(
            agencyId,
            () => {
              isIn = true
              begin()
              return work()
            },
            stops,
          )
        } catch (error) {
          if (isIn || error !== over.signal.reason) throw error
          throw new PhotoDelayed('The service was too busy to take this picture; send it again.')
        }
      }, stops)
    },
  }
}

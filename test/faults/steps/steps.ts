/** Counts the outgoing steps of one request, such as statements and stored files, and fails one of them. */

/**
 * How a step fails: the other side rejects it; its connection breaks before it has an effect; or after, so that only the response is lost.
 */
export const ways = ['rejected', 'cut before', 'cut after'] as const
export type Way = (typeof ways)[number]

export type Steps = {
  /** Counts from here. Without arguments, nothing fails. @param failing the number of the step to fail, from 1 */
  arm(failing?: number, way?: Way): void
  /** Stops counting. @returns the names of the steps since `arm`, and whether one of them failed */
  disarm(): { names: string[]; hasFailed: boolean }
  /** Counts a step. @returns how the caller must make it fail, or null */
  take(name: string): Way | null
  /** Counts `work` as a step and runs it, unless it must fail. */
  run<T>(name: string, work: () => Promise<T>): Promise<T>
}

export function newSteps(): Steps {
  let names: string[] = []
  let isArmed = false
  let hasFailed = false
  let failing: { number: number; way: Way } | null = null

  const take: Steps['take'] = (name) => {
    if (!isArmed) return null
    names.push(name)
    if (names.length !== failing?.number) return null
    hasFailed = true
    return failing.way
  }

  return {
    arm(number, way) {
      names = []
      isArmed = true
      hasFailed = false
      failing = number === undefined || way === undefined ? null : { number, way }
    },
    disarm() {
      isArmed = false
      return { names, hasFailed }
    },
    take,
    async run(name, work) {
      const way = take(name)
      if (way === 'rejected')
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC', errno: -28 })
      const result = way === 'cut before' ? null : await work()
      if (way !== null) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
      return result as Awaited<ReturnType<typeof work>>
    },
  }
}

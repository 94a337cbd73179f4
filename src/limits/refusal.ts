/** The 429 of exhausted limits (api.md 6.4): which limits block, for how long, and what helps. */
import { ApiError } from '../platform/errors/errors.ts'
import { limitRefusals } from '../platform/log/counters.ts'
import type { LimitName, Limits } from './table.ts'

/** A window without room. Seconds are whole, at least 1. */
export type BlockingLimit = {
  name: LimitName
  max: number
  /** Seconds until there is room, as far as this window goes. */
  resets: number
  /** The amounts that the request needs and that are left, if any. */
  needed?: number
  left?: number
  /** Waiting does not help: the limit is lower than what is needed, and nothing says that it will change. */
  isHopeless?: boolean
}

/**
 * A limit in force that has no room in its window.
 * @param window what is used without the request, what that needs, and the seconds until the window begins anew
 */
export function blockingLimit(
  name: LimitName,
  limit: Pick<Limits[LimitName], 'max' | 'usual' | 'endsIn'>,
  window: { used: number; needed?: number; resets: number },
): BlockingLimit {
  const { max } = limit
  const { used, needed = 1 } = window
  const resets = secondsToRoom(limit, { ...window, needed })
  const left = Math.max(0, max - used)
  return { name, max, needed, left, resets: resets ?? window.resets, isHopeless: resets === null }
}

/**
 * Seconds until the limit has room: until its window begins anew, or until the agency's own limit ends, if that comes first and the
 * default has room. Null if neither will help.
 */
function secondsToRoom(
  { max, usual = max, endsIn = null }: Pick<Limits[LimitName], 'max' | 'usual' | 'endsIn'>,
  { used, needed, resets }: { used: number; needed: number; resets: number },
): number | null {
  if (endsIn !== null && endsIn > 0) {
    if (endsIn < resets && used + needed <= usual) return endsIn
    const isOver = endsIn <= resets
    if (needed <= (isOver ? usual : max)) return resets
    return needed <= usual ? endsIn : null
  }
  return needed <= max ? resets : null
}

/** 429 naming the blocking limits, with a `Retry-After` of the seconds until the last of them has room. */
export function rateLimited(limits: readonly BlockingLimit[]): ApiError {
  for (const { name } of limits) limitRefusals.add(name)
  const retryAfter = Math.max(1, ...limits.map(({ resets }) => resets))
  return new ApiError('rate_limited', {
    message: messageOf(limits, retryAfter),
    retryAfter,
    extra: { retry_after: retryAfter, limits: limits.map(({ name }) => name) },
  })
}

function messageOf(limits: readonly BlockingLimit[], retryAfter: number): string {
  const zero = limits.filter(({ max }) => max === 0)
  const short = limits.filter(({ left = 0 }) => left > 0)
  const exhausted = limits.filter((limit) => !zero.includes(limit) && !short.includes(limit))
  const sentences = [
    ...(exhausted.length === 0 ? [] : [`The ${listed(exhausted)} exhausted.`]),
    ...(zero.length === 0 ? [] : [`The operator has set the ${named(zero)} to 0.`]),
    ...short.map(
      ({ name, max, left, needed }) =>
        `${name} (${max}) has ${left} left until its window ends, and ${needed} are needed.`,
    ),
  ]
  const hopeless = limits.filter(({ isHopeless }) => isHopeless === true)
  return [...sentences, adviceFor(hopeless, short.length === limits.length, retryAfter)].join(' ')
}

function adviceFor(hopeless: readonly BlockingLimit[], isShort: boolean, retryAfter: number): string {
  const never = hopeless.some(({ max }) => max === 0)
  if (never) return 'Waiting does not help until the operator changes that.'
  const [first] = hopeless
  if (first !== undefined)
    return `Waiting does not help: a window allows ${first.max}, and the request needs ${first.needed}. Split it.`
  return `${isShort ? 'Send fewer, or try' : 'Try'} again in ${retryAfter} seconds.`
}

const named = (limits: readonly BlockingLimit[]): string =>
  `${limits.length === 1 ? 'limit' : 'limits'} ${limits.map(({ name }) => name).join(' and ')}`

const listed = (limits: readonly BlockingLimit[]): string =>
  `${limits.length === 1 ? 'limit' : 'limits'} ${limits.map(({ name, max }) => `${name} (${max})`).join(' and ')} ${limits.length === 1 ? 'is' : 'are'}`

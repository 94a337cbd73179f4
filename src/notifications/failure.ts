/**
 * Why something was not delivered: by kind, so that it can be told in any language, and in English. What others said stays in their
 * words.
 */
export type Why =
  | Readonly<{ kind: 'silent' | 'late'; seconds: number }>
  | Readonly<{ kind: 'unreachable'; said: string | null }>
  | Readonly<{ kind: 'redirected'; status: number }>
  | Readonly<{ kind: 'refused'; status: number; said: string | null }>
  | Readonly<{ kind: 'mail_unreachable' | 'mail_sign_in' | 'mail_refused' | 'error'; said: string }>
  | Readonly<{ kind: 'no_address' | 'unwanted' }>

/** As the command line tells it. */
export function tellWhy(why: Why): string {
  switch (why.kind) {
    case 'silent':
      return `It did not answer within ${why.seconds} seconds.`
    case 'late':
      return `It took longer than ${why.seconds} seconds.`
    case 'unreachable':
      return `It could not be reached, or broke off${why.said === null ? '' : ` (${why.said})`}.`
    case 'redirected':
      return `It answered with status ${why.status}; redirects are not followed.`
    case 'refused':
      return `It answered with status ${why.status}${why.said === null ? '.' : `: ${why.said}`}`
    case 'no_address':
      return 'The agency has no mail address.'
    case 'unwanted':
      return 'The agency does not want to be told by mail.'
    default:
      return why.said
  }
}

/** What somebody said, as one line of so many characters at most. */
export function inOneLine(said: string, longest: number): string {
  return said
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, longest)
    .toWellFormed()
}

/** An attempt that did not deliver. Its message is what the operator reads. */
export class DeliveryFailure extends Error {
  override readonly name = 'DeliveryFailure'
  readonly why: Why
  /** What the receiver answered with, or null. */
  readonly status: number | null
  /** How long the receiver asked to be left alone. */
  readonly pauseMs: number
  /** Whether the receiver says that trying again is of no use. */
  readonly isFinal: boolean

  constructor(why: Why, options: { pauseMs?: number; isFinal?: boolean; cause?: unknown } = {}) {
    super(tellWhy(why), { cause: options.cause })
    this.why = why
    this.status = 'status' in why ? why.status : null
    this.pauseMs = options.pauseMs ?? 0
    this.isFinal = options.isFinal ?? false
  }
}

/** Anything that was thrown on the way, as one. */
export function failureOf(error: unknown): DeliveryFailure {
  if (error instanceof DeliveryFailure) return error
  const said = inOneLine(error instanceof Error ? error.message : String(error), 300)
  return new DeliveryFailure({ kind: 'error', said }, { cause: error })
}

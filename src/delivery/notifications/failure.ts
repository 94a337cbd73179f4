/**
 * Reasons why a delivery failed: by kind, so that they can be shown in any language, and as English sentences. Quoted texts stay unchanged.
 */
import { oneLine } from '../../platform/web/language/text.ts'
import { messageOf } from '../../platform/errors/errors.ts'

export type Why =
  | Readonly<{ kind: 'silent' | 'late'; seconds: number }>
  | Readonly<{ kind: 'unreachable'; said: string | null }>
  | Readonly<{ kind: 'redirected'; status: number }>
  | Readonly<{ kind: 'refused'; status: number; said: string | null }>
  | Readonly<{ kind: 'mail_unreachable' | 'mail_sign_in' | 'mail_refused' | 'error'; said: string }>
  | Readonly<{ kind: 'no_address' | 'unwanted' }>

/** As an English sentence. */
export function reasonText(why: Why): string {
  switch (why.kind) {
    case 'silent':
      return `It did not answer within ${why.seconds} seconds.`
    case 'late':
      return `It took longer than ${why.seconds} seconds.`
    case 'unreachable':
      return `It could not be reached, or the connection broke${why.said === null ? '' : ` (${why.said})`}.`
    case 'redirected':
      return `It answered with status ${why.status}; redirects are not followed.`
    case 'refused':
      return `It answered with status ${why.status}${why.said === null ? '.' : `: ${why.said}`}`
    case 'no_address':
      return 'The agency has no email address.'
    case 'unwanted':
      return 'The agency does not want emails.'
    default:
      return why.said
  }
}

/** The text as one line of at most `longest` characters. */
export function inOneLine(said: string, longest: number): string {
  return oneLine(said).slice(0, longest).toWellFormed()
}

/** A failed attempt. The operator reads its message. */
export class DeliveryFailure extends Error {
  override readonly name = 'DeliveryFailure'
  readonly why: Why
  /** HTTP status, or null. */
  readonly status: number | null
  /** The pause that the receiver requested. */
  readonly pauseMs: number
  /** Whether a retry is pointless. */
  readonly isFinal: boolean

  constructor(why: Why, options: { pauseMs?: number; isFinal?: boolean; cause?: unknown } = {}) {
    super(reasonText(why), { cause: options.cause })
    this.why = why
    this.status = 'status' in why ? why.status : null
    this.pauseMs = options.pauseMs ?? 0
    this.isFinal = options.isFinal ?? false
  }
}

export function failureOf(error: unknown): DeliveryFailure {
  if (error instanceof DeliveryFailure) return error
  const said = inOneLine(messageOf(error), 300)
  return new DeliveryFailure({ kind: 'error', said }, { cause: error })
}

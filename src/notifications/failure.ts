/** An attempt that did not deliver. Its message is what the operator reads. */
export class DeliveryFailure extends Error {
  override readonly name = 'DeliveryFailure'
  /** What the receiver answered with, or null. */
  readonly status: number | null
  /** How long the receiver asked to be left alone. */
  readonly pauseMs: number

  constructor(message: string, options: { status?: number | null; pauseMs?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.status = options.status ?? null
    this.pauseMs = options.pauseMs ?? 0
  }
}

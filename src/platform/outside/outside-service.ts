/**
 * Requests to the services that the operator configures, such as the geocoder: within limits of time and size, with failures that a breaker
 * and the operator understand.
 */

/**
 * How a service failed.
 * - `down`: not reached, too slow, or an error of its own. Worth another try.
 * - `blocked`: it wants fewer requests, or none. Opens the breaker at once.
 * - `forbidden`: it does not allow this request, and perhaps no other. Several in a row open the breaker.
 * - `refused`: it works, but refuses this request.
 * - `nonsense`: a response that no such service would send.
 */
type FailureKind = 'down' | 'blocked' | 'forbidden' | 'refused' | 'nonsense'

/** A request without a usable response. The message never contains the service's URL, which may include a key. */
export class ServiceFailure extends Error {
  override readonly name = 'ServiceFailure'
  readonly kind: FailureKind
  /** The pause that the service requested, in milliseconds, or null. */
  readonly pauseMs: number | null
  /** HTTP status; null without a complete response. */
  readonly status: number | null

  constructor(
    kind: FailureKind,
    message: string,
    options: ErrorOptions & { pauseMs?: number | null; status?: number } = {},
  ) {
    super(message, options)
    this.kind = kind
    this.pauseMs = options.pauseMs ?? null
    this.status = options.status ?? null
  }
}

/** The User-Agent of requests about `what`, with the contact that the service sees. */
export function userAgentOf(
  { serviceName, publicBaseUrl }: Readonly<{ serviceName: string; publicBaseUrl: string }>,
  what: string,
): string {
  return `${serviceName}/1 (${what} of property listings; +${new URL(publicBaseUrl).href})`
}

/** Ends an exchange after `ms`. @throws ServiceFailure; the signal's reason when that aborts */
export async function exchangeWithin<T>(
  ms: number,
  signal: AbortSignal,
  exchange: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const tooLong = AbortSignal.timeout(ms)
  try {
    return await exchange(AbortSignal.any([signal, tooLong]))
  } catch (cause) {
    signal.throwIfAborted()
    if (cause instanceof ServiceFailure) throw cause
    const message = tooLong.aborted
      ? 'It took too long to answer.'
      : `It could not be reached, or the connection broke${codeOf(cause)}.`
    throw new ServiceFailure('down', message, { cause })
  }
}

/** The code of a refused or broken connection, such as ` (ENOTFOUND)`. */
function codeOf(error: unknown): string {
  const { code, cause } = error as NodeJS.ErrnoException
  const known = code ?? (cause as NodeJS.ErrnoException | undefined)?.code
  return typeof known === 'string' && /^[A-Z\d_]{3,60}$/.test(known) ? ` (${known})` : ''
}

/** @param failureOf the error for a larger body */
export async function readWithin(
  bytes: number,
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  failureOf: (bytes: number) => Error = tooLarge,
): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body) {
    length += piece.length
    if (length > bytes) throw failureOf(bytes)
    pieces.push(piece)
  }
  return Buffer.concat(pieces, length)
}

export function tooLarge(bytes: number): ServiceFailure {
  return new ServiceFailure('nonsense', `It answered with more than ${bytes / 1_024} KB.`)
}

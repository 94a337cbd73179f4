/**
 * Why one photo could not be fetched (api.md 13.4): the message is a sentence the integrator can act on. It never reveals what a host
 * resolves to.
 */
export class PhotoFailure extends Error {
  override readonly name = 'PhotoFailure'
}

/** What to do about a photo that may succeed next time. With its key, a request whose other photos were stored gets its answer again. */
export const sendAgain = 'Send it again, with a new Idempotency-Key.'

/** The service was too busy for one photo; nothing is known against it, so a retry may succeed. */
export class PhotoDelayed extends Error {
  override readonly name = 'PhotoDelayed'
}

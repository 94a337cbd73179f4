/**
 * Why one photo could not be taken (api.md 13.4): the message is a sentence the integrator can act on.
 * It never tells what a name resolved to.
 */
export class PhotoFailure extends Error {
  override readonly name = 'PhotoFailure'
}

/** Why one photo was not taken although nothing is known against it: the service was too busy. Sent again, it may well be. */
export class PhotoDelayed extends Error {
  override readonly name = 'PhotoDelayed'
}

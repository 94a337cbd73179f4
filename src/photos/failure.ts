/**
 * Why one photo could not be taken (spec 'POST /properties/{id}/photos'): the message is a sentence the integrator can act on.
 * It never tells what a name resolved to.
 */
export class PhotoFailure extends Error {
  override readonly name = 'PhotoFailure'
}

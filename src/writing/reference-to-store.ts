/**
 * The reference that an Idempotency-Key stores in place of a response that shows a listing. The statement that creates the listing adds
 * its id and version.
 */
export type ReferenceToStore = {
  key: string
  /** SHA-256 of the request. */
  hash: Buffer
  /** Identifies the request. */
  token: string
  status: number
  /** JSON of everything in the response that the listing does not hold. */
  rest: string
}

/** How long a response is stored. */
export const retentionHours = 24

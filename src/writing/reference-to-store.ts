/** Stored for an Idempotency-Key, in place of a response that shows a listing. The statement that creates the listing adds which one. */
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

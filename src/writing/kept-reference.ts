/** What an Idempotency-Key keeps of an answer that shows a listing. The statement that stores the listing adds its uuid and revision. */
export type ReferenceToKeep = {
  key: string
  /** SHA-256 of the request. */
  hash: Buffer
  /** Identifies the request. */
  token: string
  status: number
  /** What the answer shows and the listing does not hold, as JSON. */
  rest: string
}

/** How long an answer is kept. */
export const retentionHours = 24

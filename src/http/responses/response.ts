/** The response of an operation, before it is sent or kept. */

/** A null body means no body. */
export type Answer = {
  status: number
  body: unknown
  headers?: Readonly<Record<string, string>>
  /** The body as JSON, if it is serialised already. A read then leaves `body` undefined. */
  text?: string
  /** The same as bytes, which all responses share. */
  bytes?: Buffer
  /** The agency's revision in the snapshot that was read; without it, the revision at admission counts. */
  revision?: number
  /** Stored for an Idempotency-Key instead of body and headers. The operation's `replay` makes these from it. */
  kept?: Omit<KeptReference, 'status'>
}

/** A stored response that shows a listing: which one, at which revision, and the rest of the response. A batch has everything in `rest`. */
export type KeptReference = {
  status: number
  propertyId: string | null
  revision: number | null
  rest: object
}

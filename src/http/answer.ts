/** The response of an operation, before it is sent or kept. */

/** The response of an operation. A null body means no body. */
export type Answer = {
  status: number
  body: unknown
  headers?: Readonly<Record<string, string>>
  /** The serialised body, if it exists already; of a read, `body` is undefined then. */
  text?: string
  /** The same as bytes, which every response shares. */
  bytes?: Buffer
  /** The agency's revision in the snapshot that was read; without it, the revision at admission counts. */
  revision?: number
  /** What an Idempotency-Key keeps instead of the body and headers. The operation's `replay` makes them of it again. */
  kept?: Omit<KeptReference, 'status'>
}

/** An answer that shows a listing: which one at which revision, and what it shows besides, as JSON. Of a batch, all is in `rest`. */
export type KeptReference = {
  status: number
  propertyId: string | null
  revision: number | null
  rest: object
}

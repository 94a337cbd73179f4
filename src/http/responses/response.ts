/** The response of an operation, before it is sent or stored. */
import type { Passage } from '../../access/keys/admission.ts'
import type { Limits } from '../../limits/table.ts'

export const jsonType = 'application/json; charset=utf-8'

/** A null body means no body. */
export type ApiResponse = {
  status: number
  body: unknown
  headers?: Readonly<Record<string, string>>
  /** The body as JSON, if it is serialised already. A read then leaves `body` undefined. */
  text?: string
  /** The body as JSON bytes, if one buffer serves all responses of the operation. */
  bytes?: Buffer
  /** The agency's revision in the snapshot that was read; without it, the revision at admission counts. */
  revision?: number
  /** State of the write limit, if the operation has charged more writes. Never stored, because a replay has a state of its own. */
  charged?: { limits: Limits; passage: Passage } | null
  /** Stored for an Idempotency-Key instead of body and headers. The operation's `replay` makes these from it. */
  reference?: Omit<StoredReference, 'status'>
}

/** A stored response that shows a listing: which one, at which revision, and the rest of the response. A batch has everything in `rest`. */
export type StoredReference = {
  status: number
  listingId: string | null
  revision: number | null
  rest: object
}

/** The requests of one agency's clients with their responses, and the agency's history, which gives the order of its revisions. */
import type { HistoryEntry } from '../../src/listings/history/history.ts'

/** A request and its response. `began` and `ended` are ticks of one clock, which order all requests. */
export type Call = {
  client: string
  /** Attempts with one Idempotency-Key share it. */
  operation: Operation
  began: number
  /** When the response arrived, or when the client stopped waiting. */
  ended: number
  /** Null if no response arrived. */
  response: Response | null
}

export type Operation = {
  kind: 'write' | 'read' | 'list' | 'feed'
  method: string
  path: string
  body?: unknown
  key?: string
  ifMatch?: string
  ifNoneMatch?: string
  /** Whether the API key may write, and so sees every listing. */
  seesDrafts: boolean
  /** The size of a feed's page. */
  limit?: number
}

export type Response = {
  status: number
  requestId: string
  etag: string | null
  isReplay: boolean
  text: string
  /** The listings that it shows. */
  shown: readonly Shown[]
  /** The times of the versions that it proves, removals included. */
  times: readonly string[]
  /** A page of the feed. */
  page: { changes: readonly Change[]; nextCursor: string; hasMore: boolean } | null
  /** The statuses of a batch's items. */
  items: readonly number[]
  error: { code: string; limits: readonly string[] } | null
}

/** A listing as the API shows it, as far as it is judged. */
export type Shown = {
  id: string
  title: string | null
  description: string | null
  photos: string[]
  updated_at: string
}

export type Change = {
  id: string
  type: 'upserted' | 'removed'
  changed_at: string
  property: Shown | null
}

/** A listing after one write. */
export type Version = {
  listing: string
  revision: number
  at: string
  action: HistoryEntry['action']
  requestId: string | null
  status: string
  isRemoved: boolean
  /** The title that a creation gave it. */
  createdAs: unknown
}

/** An event as the marketplace received it. */
export type Event = { id: string; listing: string; type: string; at: string }

export type History = {
  calls: readonly Call[]
  /** All versions of all listings, in the order of their revisions. */
  versions: readonly Version[]
  /** In the order of arrival. */
  events: readonly Event[]
  /** Pictures that are missing, or stored for no listing. */
  strayFiles: readonly string[]
  /** Sources that were downloaded. */
  downloads: number
  limits: Readonly<Record<string, number>>
}

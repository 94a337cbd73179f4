/**
 * What the program of each generator does: the same job, so that one test judges all three.
 */

/** The service, its keys, and a way to sign a request that has no body. */
export type Task = {
  /** Prefix included. */
  baseUrl: string
  key: string
  signedKey: string
  /** @param path with the prefix and the query */
  sign(method: 'GET', path: string): { 'X-Svc-Timestamp': string; 'X-Svc-Signature': string }
  /** Addresses of pictures that the service can download. */
  photos: string[]
}

/** What a program found. */
export type Report = {
  created: { id: string; missing: string[] }
  listed: string[]
  /** Of a list with `fields`: no title was asked for. */
  selected: { id: string; title: string | null | undefined }
  /** Status of each item, and the code of those that failed. */
  batch: (number | string)[]
  photos: string[]
  /** Of the photos set in the other order. */
  set: string[]
  /** What the feed told of the listing: its title, or why it is gone. */
  changes: (string | null)[]
  /** Of a creation that was tried: its code, which it does not have, and what it would cost. */
  tried: { id: string | null; new_listings: number }
  /** Of a creation that is wrong: the code and what else the error names. */
  refused: string[]
  agency: string
}

/** The task of each generator's program: the same for all, so that one test judges all three. */

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

/** The findings of a program. */
export type Report = {
  created: { id: string; missing: string[] }
  listed: string[]
  /** In a list with `fields` that does not request the title. */
  selected: { id: string; title: string | null | undefined }
  /** Status of each item, and the code of those that failed. */
  batch: (number | string)[]
  photos: string[]
  /** After the photos were set in the other order. */
  set: string[]
  /** The feed's entry for the listing: its title, or why it is gone. */
  changes: (string | null)[]
  /** Dry run of a creation: its code, which it does not have, and its cost. */
  tried: { id: string | null; new_listings: number }
  /** Refused creation: the code and the other members of its error. */
  refused: string[]
  agency: string
}

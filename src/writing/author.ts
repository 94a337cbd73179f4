/** Who writes. Stored with every change. */

/** Who writes, and by which request. */
export type Author = {
  kind: 'key' | 'person' | 'operator' | 'system'
  /** The key's or person's id. */
  id: string | null
  name: string
  requestId: string | null
}

/** The author of a change, stored with it. */

export type Author = {
  kind: 'key' | 'person' | 'operator' | 'system'
  /** The key's or person's id. */
  id: string | null
  name: string
  requestId: string | null
}

/** The actor who caused a change or another entry of a log, stored with it. */

export type Actor = Readonly<{
  kind: 'key' | 'person' | 'operator' | 'system'
  /** The key's or person's id. Null on the command line, and for unknown users, whose name is the IP. */
  id: string | null
  name: string
  requestId: string | null
}>

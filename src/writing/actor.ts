/** The actor who caused a change or another entry of a log, stored with it. */

export type Actor = Readonly<{
  kind: 'key' | 'person' | 'operator' | 'system'
  /** The key's or person's id. Null on the command line, and for unknown users, whose name is the IP. */
  id: string | null
  name: string
  requestId: string | null
}>

/** The service's own parts that act, as actors of the kind `system`, and the command line, which acts as an operator. */
const systemNames = ['command line', 'demonstration', 'geocoder', 'test environment'] as const
export type SystemName = (typeof systemNames)[number]

export function systemActor(name: SystemName, kind: 'system' | 'operator' = 'system'): Actor {
  return { kind, id: null, name, requestId: null }
}

/** The name of a part of the service, which a page or mail translates; null for a key or person, who may have the same name. */
export function asSystemName({
  kind,
  name,
}: Readonly<{ kind: string; name: string | null }>): SystemName | null {
  if (kind !== 'system' && kind !== 'operator') return null
  return systemNames.find((one) => one === name) ?? null
}

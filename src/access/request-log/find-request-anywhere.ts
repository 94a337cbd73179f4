/** Finds a request of any agency by its id, for the operator's search. */
import { overAllNodes } from '../../platform/db/citus/nodes.ts'
import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statements/statement.ts'
import { isUuid, timeOfId } from '../../platform/names/ids.ts'
import type { FoundRequest } from './request-search.ts'

type FoundAnywhere = Pick<FoundRequest, 'request_id' | 'at' | 'method' | 'path' | 'status'> & {
  agency_id: string
}

/** Reads all agencies through the index of times. Values: request id, the first time, the end (excluded). */
const requestAt = statement<FoundAnywhere>(`
  select agency_id, request_id, at, method, path, status from request_log
  where request_id = $1 and at >= $2 and at < $3`)

/** Times between a request's id and its end, searched in turn: requests with photos may take minutes. */
const spansMs = [60_000, 900_000]

/** A version 7 id contains its creation time, so the index of times finds the request. */
export async function findRequestAnywhere(db: Db, id: string): Promise<FoundAnywhere | null> {
  if (!isUuid(id)) return null
  const whole = await overAllNodes(db)
  const made = timeOfId(id)
  const iso = (ms: number) => new Date(Math.min(ms, 8.64e15)).toISOString()
  for (const span of spansMs) {
    const [found] = await requestAt(whole, [id, iso(made - 5_000), iso(made + span)])
    if (found !== undefined) return found
  }
  return null
}

/** Searches listings and notifications of all agencies by identifier, for the operator. Reads every agency's index. */
import type { Status } from '../fields/vocabulary.ts'
import { overAllNodes } from '../../platform/db/citus/nodes.ts'
import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statements/statement.ts'
import { isUuid } from '../../platform/names/ids.ts'

type FoundListing = {
  agency_id: string
  public_id: string
  title: string | null
  status: Status
  deleted_at: string | null
}

const maxFound = 20
const listings = (condition: string) =>
  statement<FoundListing>(`
  select p.agency_id, p.public_id, p.title, p.status, p.deleted_at
  from agencies a join properties p on p.agency_id = a.id and ${condition}
  order by p.agency_id limit ${maxFound}`)
const byId = listings('p.id = $1')
const byCode = listings('p.public_id = $1')
const byExternalId = listings('p.external_id = $1 and p.deleted_at is null')

/** Listings with that uuid, public code or external id; removed ones by uuid and code. At most 20. */
export async function findListingsAnywhere(db: Db, text: string): Promise<FoundListing[]> {
  const whole = await overAllNodes(db)
  if (isUuid(text)) return await byId(whole, [text])
  const found = [await byCode(whole, [text.toUpperCase()]), await byExternalId(whole, [text])].flat()
  return [...new Map(found.map((one) => [`${one.agency_id} ${one.public_id}`, one])).values()]
}

type FoundEvent = {
  agency_id: string
  id: string
  channel: 'mail' | 'marketplace'
}

const events = statement<FoundEvent>(`
  select e.agency_id, e.id, d.channel
  from agencies a
  join notification_events e on e.agency_id = a.id and e.id = $1
  join notification_deliveries d on d.agency_id = e.agency_id and d.event_id = e.id
  order by d.channel`)

/** The deliveries of the event with that id. */
export async function findEventAnywhere(db: Db, id: string): Promise<FoundEvent[]> {
  if (!isUuid(id)) return []
  return await events(await overAllNodes(db), [id])
}

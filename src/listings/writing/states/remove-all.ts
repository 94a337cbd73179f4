/** Removes all listings of a test agency at once and frees their photos. Readers of changes see the removals like any others. */
import { statement } from '../../../platform/db/statements/statement.ts'
import { storeRevision } from '../../../writing/revisions.ts'
import type { WriteContext } from '../../store/write-context.ts'

const nextStatus = `case status when 'published' then 'disabled' else status end`
/** The changes of a listing that loses its photos. */
const lost = `(
      case when photos = '{}' then '{}'
        else jsonb_build_object('photos', jsonb_build_object('from', to_jsonb(photos), 'to', '[]'::jsonb)) end
      || case when status = next_status then '{}'
        else jsonb_build_object('status', jsonb_build_object('from', status, 'to', next_status)) end)`

/*
 * Each listing gets its own revision and time, as single removals would give it. A listing that was removed before gets no new entry: it
 * only loses its photos. The entry of its removal records that, so that the history can still reproduce every earlier version. A listing
 * without photos cannot stay published. Values: agency, first revision, its time, the actor.
 */
const removeAll = statement<{ removed: number }>(`
  with listed as materialized (
    select id, photos, status, (row_number() over (order by updated_at, id) - 1)::int as position
    from properties where agency_id = $1 and deleted_at is null
  ), dated as materialized (
    select id, photos, status, $2::bigint + position as revision, $3::timestamptz + position * interval '1 ms' as at,
      ${nextStatus} as next_status
    from listed
  ), removed as (
    update properties p set deleted_at = d.at, updated_at = d.at, version = d.revision, status = d.next_status, photos = '{}'
    from dated d where p.agency_id = $1 and p.id = d.id
  ), noted as (
    insert into listing_history (agency_id, property_id, revision, at, action, actor_kind, actor_id, actor_name, request_id, changes)
    select $1, id, revision, at, 'deleted', $4, $5::uuid, $6, $7,
      jsonb_build_object('deleted', jsonb_build_object('from', false, 'to', true)) || ${lost}
    from dated
  ), before as materialized (
    select id, photos, version, next_status, ${lost} as lost
    from (
      select id, photos, version, status, ${nextStatus} as next_status
      from properties where agency_id = $1 and deleted_at is not null and photos <> '{}'
    ) shown
  ), emptied as (
    update properties p set photos = '{}', status = b.next_status
    from before b where p.agency_id = $1 and p.id = b.id
  ), amended as (
    update listing_history h set changes = h.changes || before.lost
    from before where h.agency_id = $1 and h.property_id = before.id and h.revision = before.version
  ), unsourced as (
    delete from photo_sources where agency_id = $1
  ), freed as (
    insert into unreferenced_photos (agency_id, photo, delete_after)
    select distinct $1::uuid, photo, $3::timestamptz
    from (select photos from dated union all select photos from before) pictures cross join unnest(photos) as photo
    on conflict do nothing
  )
  select count(*)::int as removed from dated`)

/** @returns how many were removed */
export async function removeAllListings({ tx, agencyId, revisions, actor }: WriteContext): Promise<number> {
  const undo = revisions.mark()
  const { revision, at } = revisions.next()
  const { kind, id, name, requestId } = actor
  const [row] = await removeAll(tx, [agencyId, revision, at, kind, id, name, requestId])
  const removed = row?.removed ?? 0
  if (removed === 0) {
    undo()
    return 0
  }
  let last = { revision, at }
  for (let given = 1; given < removed; given += 1) last = revisions.next()
  // Creations in this transaction continue after the stored revision.
  await storeRevision(tx, agencyId, last)
  return removed
}

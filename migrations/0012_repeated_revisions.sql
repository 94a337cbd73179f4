-- Resets of test agencies gave their removals revisions that later writes got again, so GET /changes lost some changes and repeated others.
-- Each of those removals gets a new revision: together the agency's last ones, in their old order.

-- Other writes of these agencies wait until the end.
update agency_revisions set revision = revision where is_test;

update agency_revisions a set revision = raised.revision, changed_at = raised.changed_at
from (
  select agency_id, greatest(max(revision), max(version)) + count(*) filter (where deleted_at is not null and n > 1) as revision,
    greatest(max(changed_at), max(updated_at)) as changed_at
  from (
    select p.agency_id, p.version, p.updated_at, p.deleted_at, r.revision, r.changed_at,
      count(*) over (partition by p.agency_id, p.version) as n
    from properties p join agency_revisions r on r.agency_id = p.agency_id
    where r.is_test
  ) counted
  group by agency_id
  having max(n) > 1 or max(version) > max(revision)
) raised
where a.agency_id = raised.agency_id;

update listing_history h set revision = moved.last + 1 - moved.position
from (
  select agency_id, id, version, last, row_number() over (partition by agency_id order by version desc, id desc) as position
  from (
    select p.agency_id, p.id, p.version, p.deleted_at, a.revision as last, count(*) over (partition by p.agency_id, p.version) as n
    from properties p join agency_revisions a on a.agency_id = p.agency_id
    where a.is_test
  ) counted
  where deleted_at is not null and n > 1
) moved
where h.agency_id = moved.agency_id and h.property_id = moved.id and h.revision = moved.version;

-- An entry above its listing's version is one of those just moved. They share a time, that of the agency's last change.
update properties p set version = h.revision, updated_at = a.changed_at
from agency_revisions a join listing_history h on h.agency_id = a.agency_id
where a.is_test and p.agency_id = a.agency_id and p.id = h.property_id and p.version < h.revision;

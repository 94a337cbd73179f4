-- Outside a transaction: these are built beside running servers. Each is dropped first, because one whose making was interrupted is there and is of no use.
-- They hold what is due and nothing else: ordinary listings are in none of them, and looking at an empty one costs a page.

drop index concurrently if exists properties_to_place_idx;
create index concurrently properties_to_place_idx on properties (updated_at)
  where location_status = 'unresolved' and address is not null and deleted_at is null
    and (sought_version is null or sought_version < version);

drop index concurrently if exists geocoding_attempts_next_attempt_at_idx;
create index concurrently geocoding_attempts_next_attempt_at_idx on geocoding_attempts (next_attempt_at);

-- New rules of comparing addresses come with an index of theirs.
drop index concurrently if exists properties_address_rules_idx;
create index concurrently properties_address_rules_idx on properties (agency_id, id) where address_rules < 2;

-- It held all that were looked for in vain.
drop index concurrently if exists properties_unresolved_idx;

drop index concurrently if exists notification_deliveries_settled_idx;
create index concurrently notification_deliveries_settled_idx on notification_deliveries (ended_at)
  where state in ('delivered', 'skipped', 'not_configured');

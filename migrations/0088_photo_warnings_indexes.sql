-- Outside a transaction: these are built beside running servers. Each is dropped first, because one whose making was interrupted is there and is of no use.
-- They hold what an agency has to look after and nothing else: an ordinary listing is in none of them.

drop index concurrently if exists photo_sources_to_mend_idx;
create index concurrently photo_sources_to_mend_idx on photo_sources (agency_id, warned_at desc) where to_mend > 0;

drop index concurrently if exists photo_sources_warned_at_idx;
create index concurrently photo_sources_warned_at_idx on photo_sources (warned_at) where warned_at is not null;

drop index concurrently if exists properties_unplaced_idx;
create index concurrently properties_unplaced_idx on properties (agency_id, updated_at desc)
  where location_status = 'unresolved' and address is not null and deleted_at is null;

-- Pins that cannot be in Argentina: with its islands it lies within these degrees.
drop index concurrently if exists properties_far_idx;
create index concurrently properties_far_idx on properties (agency_id, updated_at desc)
  where (lat < -56 or lat > -21 or lng < -74 or lng > -53) and deleted_at is null;

drop index concurrently if exists notification_deliveries_unmailed_idx;
create index concurrently notification_deliveries_unmailed_idx on notification_deliveries (agency_id, ended_at desc)
  where state = 'set_aside' and channel = 'mail';

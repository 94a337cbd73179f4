alter table properties add column sought_version bigint;

comment on column properties.sought_version is 'The version at which its place was last looked for on the map; null: never. Every write raises the version, so that it is looked for anew.';
comment on table geocoding_attempts is 'When unresolved listings that were looked for in vain are looked for again.';

-- New entries of a GIN index wait in a list, which every search reads through, and which is worked in by whoever makes it too long: a
-- write, under its agency's lock. A quarter of the usual length costs creations no more than they vary and stops one in some hundreds for
-- tens of milliseconds; without the list each would cost three milliseconds more.
alter index properties_search_idx set (gin_pending_list_limit = 1024);

-- As with the counters of keys: each delivery leaves dead rows, and the next look at what is due passes by them.
alter table notification_lanes set (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);
alter table notification_deliveries set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

comment on table notification_events is 'The outbox: every change of a listing''s state, written in the transaction of the change itself. Once all its deliveries were settled long ago it is deleted; of a listing''s latest the number stays, so that the next one has the next.';
comment on column notification_events.listing is 'The row of properties as the change left it; empty where only the number is kept.';
comment on table notification_deliveries is 'What became of each event on each channel: by mail to the agency, and to the marketplace. Settled ones are kept for NOTIFICATIONS_KEPT_DAYS.';
comment on table notification_attempts is 'Each attempt to deliver, for the operator; kept as long as its delivery.';

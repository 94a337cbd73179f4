-- Distributes the tables of a migrated database by agency, with Citus 12 or later. Not part of migrations/, and run by nobody but an
-- operator who has read docs/scale.md: NOT TRIED ON CITUS. What the test test/db/distribution.test.ts holds is that it is valid SQL, that
-- it names every table of an agency, and that keys and foreign keys have the form that Citus wants.
--
-- On the coordinator, in the service's database, with the service stopped and a back-up at hand:
--
--   create extension citus;
--   select citus_set_coordinator_host('coordinator.example', 5432);
--   select citus_add_node('worker-1.example', 5432);   -- and so on
--   \i deploy/citus/distribute.sql
--
-- Rows are moved by the functions themselves. Afterwards, for each table: select truncate_local_data_after_distributing_table('…').

begin;

-- On every node: agencies are what every other table refers to, keys are looked up by fingerprint before the agency is known.
select create_reference_table('agencies');
select create_reference_table('api_keys');

-- By agency, and all rows of one agency on one node. Those that others refer to come first.
select create_distributed_table('agency_revisions', 'agency_id', shard_count => 64);
select create_distributed_table('properties', 'agency_id', colocate_with => 'agency_revisions');
select create_distributed_table('listing_history', 'agency_id', colocate_with => 'agency_revisions');
select create_distributed_table('photo_sources', 'agency_id', colocate_with => 'agency_revisions');
select create_distributed_table('unreferenced_photos', 'agency_id', colocate_with => 'agency_revisions');
select create_distributed_table('key_usage', 'agency_id', colocate_with => 'agency_revisions');
select create_distributed_table('agency_usage', 'agency_id', colocate_with => 'agency_revisions');
select create_distributed_table('idempotency_keys', 'agency_id', colocate_with => 'agency_revisions');
select create_distributed_table('used_signatures', 'agency_id', colocate_with => 'agency_revisions');
select create_distributed_table('geocoding_attempts', 'agency_id', colocate_with => 'agency_revisions');
select create_distributed_table('notification_events', 'agency_id', colocate_with => 'agency_revisions');
select create_distributed_table('notification_deliveries', 'agency_id', colocate_with => 'agency_revisions');
select create_distributed_table('notification_lanes', 'agency_id', colocate_with => 'agency_revisions');
select create_distributed_table('notification_attempts', 'agency_id', colocate_with => 'agency_revisions');
select create_distributed_table('notification_preferences', 'agency_id', colocate_with => 'agency_revisions');
select create_distributed_table('request_log', 'agency_id', colocate_with => 'agency_revisions');
select create_distributed_table('request_days', 'agency_id', colocate_with => 'agency_revisions');

-- What is left stays on the coordinator: people and their sessions and notices, the audit log, reminders, attempts to sign in, requests without a
-- key, the geocoder's answers and pace, schema_migrations.

commit;

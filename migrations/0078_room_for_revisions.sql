-- Every write updates its agency's row. With room on its page, the next update prunes the old version; without, versions pile up on new pages. The room also makes the planner use the primary key where agencies are few.
alter table agency_revisions set (fillfactor = 10, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

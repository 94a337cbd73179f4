create table key_usage (
  agency_id uuid not null,
  key_id uuid not null,
  minute timestamptz(0) not null,
  day timestamptz(0) not null,
  minute_reads integer not null,
  minute_writes integer not null,
  day_reads integer not null,
  day_writes integer not null,
  granted_reads integer not null,
  granted_writes integer not null,
  constraint key_usage_pkey primary key (agency_id, key_id)
) with (fillfactor = 20, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

comment on table key_usage is 'How often each key read and wrote in its current minute and day: one row a key, updated in the statement that authenticates.';
comment on column key_usage.minute is 'Start of the minute that minute_reads and minute_writes count.';
comment on column key_usage.day is 'Start of the UTC day that day_reads and day_writes count.';
comment on column key_usage.granted_reads is 'How many of the reads asked for last were granted; read back by the statement that set it.';

create table agency_usage (
  agency_id uuid not null,
  name text not null,
  window_start timestamptz(0) not null,
  used integer not null,
  constraint agency_usage_pkey primary key (agency_id, name)
) with (fillfactor = 50);

comment on table agency_usage is 'How much of each limit of its own an agency used in the current window: one row a limit.';

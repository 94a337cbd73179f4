-- Usage of limits (src/limits/). New listings are counted in agency_revisions.

create table key_usage (
  agency_id uuid not null,
  key_id uuid not null,
  minute timestamptz(0) not null,
  day timestamptz(0) not null,
  minute_reads integer not null,
  minute_writes integer not null,
  day_reads integer not null,
  day_writes integer not null,
  constraint key_usage_pkey primary key (agency_id, key_id)
) with (fillfactor = 20, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

comment on table key_usage is 'How often each key read and wrote in its current minute and day: one row per key, charged by admit_keys. Apart from agency_usage, because one update per request charges two windows.';
comment on column key_usage.minute is 'Start of the minute that minute_reads and minute_writes count.';
comment on column key_usage.day is 'Start of the UTC day that day_reads and day_writes count.';

create table agency_usage (
  agency_id uuid not null,
  name text not null,
  ends_at timestamptz(3) not null,
  used integer not null,
  constraint agency_usage_pkey primary key (agency_id, name)
) with (fillfactor = 50);

comment on table agency_usage is 'How much of its other limits an agency used in the current window: one row per limit.';
comment on column agency_usage.ends_at is 'End of the window that `used` counts.';

create table subject_usage (
  subject text collate "C" not null,
  name text collate "C" not null,
  ends_at timestamptz(3) not null,
  used integer not null,
  constraint subject_usage_pkey primary key (subject, name)
) with (fillfactor = 50);

comment on table subject_usage is 'How much was used of limits that are not counted by agency alone: requests without a valid key, sign-ins, saves of people, invitations, enquiries. Belongs to no agency, so that on Citus it is on the coordinator. Apart from agency_usage for that reason alone.';
comment on column subject_usage.subject is 'The IP of a request without a valid key; a hash of an IP, email or phone number; the id of an account or agency; * for all together.';
comment on column subject_usage.ends_at is 'End of the window that `used` counts.';

-- Deleting counters whose window has ended.
create index subject_usage_ends_at_idx on subject_usage (ends_at);

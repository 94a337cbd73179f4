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
  window_start timestamptz(0) not null,
  used integer not null,
  constraint agency_usage_pkey primary key (agency_id, name)
) with (fillfactor = 50);

comment on table agency_usage is 'How much of its other limits an agency used in the current window: one row per limit.';

create table keyless_usage (
  subject text collate "C" not null,
  minute timestamptz(0) not null,
  used integer not null,
  constraint keyless_usage_pkey primary key (subject)
) with (fillfactor = 50);

comment on table keyless_usage is 'Requests without a valid key in the current minute: one row for all of them and one per IP. Belongs to no agency.';
comment on column keyless_usage.subject is 'An IP, or * for all.';

create index keyless_usage_minute_idx on keyless_usage (minute);

create table sign_in_attempts (
  subject text collate "C" not null,
  window_start timestamptz(3) not null,
  used integer not null,
  constraint sign_in_attempts_pkey primary key (subject)
);

comment on table sign_in_attempts is 'Attempts with passwords, second factors and resets, by account and by IP. Belongs to no agency.';
comment on column sign_in_attempts.subject is 'The limit, and a hash of the email or IP.';
comment on column sign_in_attempts.window_start is 'The first attempt of the current window.';

create index sign_in_attempts_window_start_idx on sign_in_attempts (window_start);

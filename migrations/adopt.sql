-- Changes a database made by the migrations before 1.0.0 into one that the numbered files describe (src/platform/db/migrations/adopt.ts). Comments and
-- functions are taken from their own files.

-- The creation and admission functions of earlier versions, which the files of functions/ replaced.
drop function create_listings(json, json, float8, int, int);
drop function charge_keys(uuid[], int[], int[], timestamptz, timestamptz, int, int, int, int);

-- The statement that set these columns also read them; admit_keys returns its grants instead.
alter table key_usage drop column granted_reads;
alter table key_usage drop column granted_writes;
alter table key_usage drop column limits;

-- Only rows older than the constraint were unchecked, and those expired a day later.
alter table idempotency_keys validate constraint idempotency_keys_answer_check;

-- Counters say when their window ends. `at time zone` makes the sum immutable, as Citus requires of an update of all shards.
alter table agency_usage add column ends_at timestamptz(3);
update agency_usage set ends_at = (window_start at time zone 'UTC' + case name
  when 'geocoding_per_minute' then interval '1 minute'
  when 'test_resets_per_hour' then interval '1 hour'
  when 'slug_changes_per_month' then interval '30 days'
  else interval '1 day' end) at time zone 'UTC';
alter table agency_usage alter column ends_at set not null;
alter table agency_usage drop column window_start;

-- Their windows last for a day at most. They begin anew: the service is stopped meanwhile, and nobody gains more than one window.
drop table keyless_usage;
drop table sign_in_attempts;
create table subject_usage (
  subject text collate "C" not null,
  name text collate "C" not null,
  ends_at timestamptz(3) not null,
  used integer not null,
  constraint subject_usage_pkey primary key (subject, name)
) with (fillfactor = 50);
create index subject_usage_ends_at_idx on subject_usage (ends_at);

create table request_log (
  agency_id uuid not null,
  request_id uuid not null,
  key_id uuid not null,
  at timestamptz(3) not null,
  method text not null,
  path text not null,
  status smallint not null,
  code text,
  ms real not null,
  constraint request_log_pkey primary key (agency_id, request_id)
);

create index request_log_key_idx on request_log (agency_id, key_id, at desc);
create index request_log_at_idx on request_log (at);

comment on table request_log is 'The API requests of each key of the last 7 days. Written together, some moments after they were answered; a crash may lose those.';
comment on column request_log.path is 'Without the query, which may hold what people search for.';
comment on column request_log.code is 'Of the error; null where there was none.';

create table request_days (
  agency_id uuid not null,
  key_id uuid not null,
  day timestamptz(0) not null,
  code text collate "C" not null,
  requests integer not null,
  constraint request_days_pkey primary key (agency_id, key_id, day, code)
);

create index request_days_day_idx on request_days (day);

comment on table request_days is 'How many API requests each key made in each UTC day, by outcome; kept for 90 days.';
comment on column request_days.code is 'Of the error; empty where there was none.';
comment on column request_days.day is 'Start of the UTC day.';

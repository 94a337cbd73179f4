create table geocoding_cache (
  provider text collate "C" not null,
  question text collate "C" not null,
  lat double precision,
  lng double precision,
  status text,
  kept_until timestamptz(3) not null,
  constraint geocoding_cache_pkey primary key (provider, question),
  constraint geocoding_cache_pin_check check ((lat is null) = (status is null) and (lng is null) = (status is null)),
  constraint geocoding_cache_status_check check (status in ('resolved', 'approximate'))
);

create index geocoding_cache_kept_until_idx on geocoding_cache (kept_until);

comment on table geocoding_cache is 'What geocoders answered: where a place is, or that they do not know it. Public facts, shared by all agencies.';
comment on column geocoding_cache.question is 'Hash of the address and place as the geocoder is asked, so that spellings share an answer.';
comment on column geocoding_cache.status is 'resolved or approximate; null: the geocoder does not know the place.';

create table geocoding_pace (
  provider text collate "C" not null,
  free_at timestamptz(3) not null,
  constraint geocoding_pace_pkey primary key (provider)
);

comment on table geocoding_pace is 'Keeps requests to a geocoder apart, over all instances: one row for each that wants it.';
comment on column geocoding_pace.free_at is 'When the next request may be sent.';

create table geocoding_attempts (
  agency_id uuid not null,
  property_id uuid not null,
  version bigint not null,
  attempts integer not null,
  next_attempt_at timestamptz(3) not null,
  constraint geocoding_attempts_pkey primary key (agency_id, property_id),
  constraint geocoding_attempts_property_fkey foreign key (agency_id, property_id) references properties (agency_id, id)
);

comment on table geocoding_attempts is 'When unresolved listings are looked for again. One without a row has not been tried yet.';
comment on column geocoding_attempts.version is 'The listing''s version when it was tried; a listing changed since is tried at once.';
comment on column geocoding_attempts.attempts is 'How often in a row the geocoder could not be asked.';

create index properties_unresolved_idx on properties (agency_id, id)
  where location_status = 'unresolved' and address is not null and deleted_at is null;

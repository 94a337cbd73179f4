-- The listings, their history, and where they are on the map.

create table properties (
  agency_id uuid not null,
  id uuid not null,
  public_id text collate "C" not null,
  external_id text collate "C",
  version bigint not null,
  status text not null,
  title text,
  description text,
  operation text,
  type text,
  price_amount numeric(15, 2),
  price_currency text,
  price_period text,
  price_on_request boolean not null default false,
  expenses_amount numeric(15, 2),
  expenses_currency text,
  address text,
  city text,
  province text,
  lat double precision,
  lng double precision,
  location_status text,
  place_blurred boolean not null default false,
  features jsonb not null default '{}',
  amenities text[] not null default '{}',
  photos text[] not null default '{}',
  video_url text,
  video_urls text[] not null default '{}',
  virtual_tour_url text,
  rental jsonb,
  reserved boolean not null default false,
  close_reason text,
  closed_at timestamptz(3),
  close_amount numeric(15, 2),
  close_currency text,
  published_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  city_folded text not null default '',
  search_folded text not null default '',
  rough_folded text,
  street_key text collate "C",
  city_key text collate "C",
  address_rules smallint not null default 0,
  sought_version bigint,
  bedrooms smallint generated always as ((features ->> 'bedrooms')::smallint) stored,
  bathrooms smallint generated always as ((features ->> 'bathrooms')::smallint) stored,
  main_m2 double precision generated always as (
    (case when type = 'Lote' then features ->> 'total_m2' else features ->> 'covered_m2' end)::double precision
  ) stored,
  price_kind text collate "C" not null generated always as (
    coalesce(operation, 'none') || ' ' || coalesce(price_currency, 'none')
  ) stored,
  listed_at timestamptz(3) generated always as (coalesce(published_at, created_at)) stored,
  constraint properties_pkey primary key (agency_id, id),
  constraint properties_agency_public_id_key unique (agency_id, public_id),
  constraint properties_status_check check (status in ('draft', 'published', 'disabled')),
  constraint properties_operation_check check (operation in ('sale', 'rent', 'temporary')),
  constraint properties_price_check check (
    (price_amount is null) = (price_currency is null) and not (price_on_request and price_amount is not null)
  ),
  constraint properties_coordinates_check check ((lat is null) = (lng is null)),
  constraint properties_photos_check check (cardinality(photos) <= 50),
  constraint properties_published_check check (status <> 'published' or cardinality(photos) >= 3)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

comment on table properties is 'The listings. Removed ones stay, with deleted_at set, until the operator restores them. Without a foreign key to agencies: agencies are never deleted, and the check would take a tenth of a creation.';
comment on column properties.public_id is 'The public code, `id` in the API: 8 characters without look-alikes.';
comment on column properties.version is 'The agency''s revision when this listing last changed. Its ETag comes from it.';
comment on column properties.status is '`draft`, `published` or `disabled`. A removed listing keeps the one it had.';
comment on column properties.price_amount is 'In price_currency, per price_period if that is set.';
comment on column properties.expenses_amount is 'In expenses_currency, per month.';
comment on column properties.lat is 'Degrees north.';
comment on column properties.lng is 'Degrees east.';
comment on column properties.location_status is '`resolved`, `approximate`, `manual` or `unresolved`; null: no address.';
comment on column properties.place_blurred is 'Whether public pages show the place approximately: a circle, and the street without its number. The API shows its agency the exact one.';
comment on column properties.features is 'The features that have a value, in canonical form.';
comment on column properties.photos is 'Stored pictures in order, the cover first: the content hash, a dot, the upload''s own mark.';
comment on column properties.rental is 'min_stay (nights), min_lease_months, services_included; null unless sent for a rental.';
comment on column properties.close_amount is 'The final price of a listing sold or rented, in close_currency.';
comment on column properties.city_folded is '`city` without case and accents, for search.';
comment on column properties.search_folded is 'Title, address and city without case and accents, one per line, for search.';
comment on column properties.rough_folded is 'With place_blurred: the address as visitors see it, without case and accents, for their search. Null: not blurred, or not computed yet (src/listings/).';
comment on column properties.street_key is 'Street and number in the form in which addresses are compared; null: no number, or unreadable.';
comment on column properties.city_key is 'The city in the form in which addresses are compared; null: unknown.';
comment on column properties.address_rules is 'Version of the rules that made the two keys.';
comment on column properties.sought_version is 'The version at which the geocoder was last asked; null: never. Every write raises the version, so the geocoder is asked again.';
comment on column properties.main_m2 is 'The area in m² that min_m2 and max_m2 compare: covered; for lots, total.';
comment on column properties.price_kind is 'Operation and currency, such as `sale USD`: listings whose prices can be compared. By price alone, the rents of a large agency would all precede its cheapest sale.';
comment on column properties.listed_at is 'The order of sort=recent.';

-- Creations and upserts: whether an external id is taken.
create unique index properties_agency_external_id_key on properties (agency_id, external_id)
  where deleted_at is null;
-- Lists by date, and searches: the included columns decide every filter without reading the listing. Reading the texts of one agency takes 0.3 ms
-- at 1,000 listings and 11 ms at 50,000; an index of trigrams made creations slower than it made searches fast (docs/adr/).
create index properties_searched_idx
  on properties (agency_id, status, listed_at desc, public_id)
  include (operation, type, price_currency, price_amount, bedrooms, bathrooms, main_m2, updated_at, city_folded, search_folded, id,
    place_blurred, rough_folded)
  where deleted_at is null;
-- Lists by last change.
create index properties_updated_idx on properties (agency_id, status, updated_at desc, public_id)
  include (id) where deleted_at is null;
-- Lists by price. Read backwards it serves the other order: within one price_kind either all amounts are null or none is.
create index properties_price_asc_idx
  on properties (agency_id, status, price_kind, price_amount asc nulls last, public_id)
  include (type, bedrooms, bathrooms, main_m2, city_folded, id) where deleted_at is null;
-- Creations and edits: listings at the same address.
create index properties_address_idx on properties (agency_id, street_key)
  include (city_key, public_id) where deleted_at is null and street_key is not null;
-- The feed of changes, removed listings included. Each listing is in one of the two: read-only keys never see one that was never published,
-- and a row once published stays so.
create index properties_changes_idx on properties (agency_id, version) where published_at is not null;
create index properties_unpublished_changes_idx on properties (agency_id, version) where published_at is null;
-- The dashboard's list of removed listings.
create index properties_removed_idx on properties (agency_id, deleted_at desc, public_id) where deleted_at is not null;

-- The following hold what needs attention and nothing else. Ordinary listings are in none of them, and reading an empty one costs a page.
-- Listings whose place the geocoder was not asked for yet.
create index properties_to_place_idx on properties (updated_at)
  where location_status = 'unresolved' and address is not null and deleted_at is null
    and (sought_version is null or sought_version < version);
-- Addresses to read again by newer rules, and rough addresses to compute. New rules come with an index of their own.
create index properties_address_rules_idx on properties (agency_id, id)
  where address_rules < 2 or place_blurred and rough_folded is null;
-- The dashboard: addresses that the geocoder does not know.
create index properties_unplaced_idx on properties (agency_id, updated_at desc)
  where location_status = 'unresolved' and address is not null and deleted_at is null;
-- The dashboard: pins that cannot be in Argentina, which lies within these degrees with its islands.
create index properties_far_idx on properties (agency_id, updated_at desc)
  where (lat < -56 or lat > -21 or lng < -74 or lng > -53) and deleted_at is null;

create table listing_history (
  agency_id uuid not null,
  property_id uuid not null,
  revision bigint not null,
  at timestamptz(3) not null,
  action text not null,
  actor_kind text not null,
  actor_id uuid,
  actor_name text not null,
  request_id text,
  changes jsonb not null default '{}',
  constraint listing_history_pkey primary key (agency_id, property_id, revision),
  constraint listing_history_actor_kind_check check (actor_kind in ('key', 'person', 'operator', 'system'))
);

comment on table listing_history is 'Every change of each listing, appended by the transaction that makes it. Without a foreign key to properties, as properties has none to agencies.';
comment on column listing_history.revision is 'The agency''s revision that this write made.';
comment on column listing_history.action is '`created`, `updated`, `published`, `disabled`, `closing_recorded`, `photos_added`, `reserved`, `released`, `deleted` or `restored`.';
comment on column listing_history.actor_id is 'The key or person; null: the command line or the service itself.';
comment on column listing_history.changes is 'Field → {from, to}; {} for a creation: the listing and the later entries give what it was.';

create table geocoding_attempts (
  agency_id uuid not null,
  property_id uuid not null,
  version bigint not null,
  attempts integer not null,
  next_attempt_at timestamptz(3) not null,
  constraint geocoding_attempts_pkey primary key (agency_id, property_id),
  constraint geocoding_attempts_property_fkey foreign key (agency_id, property_id) references properties (agency_id, id)
);

comment on table geocoding_attempts is 'When the geocoder is asked again for listings that it did not find.';
comment on column geocoding_attempts.version is 'The listing''s version at the last attempt. A listing changed since is tried at once.';
comment on column geocoding_attempts.attempts is 'How many times in a row the geocoder could not be asked.';

-- Attempts that are due.
create index geocoding_attempts_next_attempt_at_idx on geocoding_attempts (next_attempt_at);

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

comment on table geocoding_cache is 'Responses of geocoders: where a place is, or that it is unknown. Public facts, shared by all agencies.';
comment on column geocoding_cache.question is 'Hash of the query as the geocoder receives it, so that spellings share a response.';
comment on column geocoding_cache.status is '`resolved` or `approximate`; null: the geocoder does not know the place.';

-- Deleting expired rows.
create index geocoding_cache_kept_until_idx on geocoding_cache (kept_until);

create table geocoding_pace (
  provider text collate "C" not null,
  free_at timestamptz(3) not null,
  constraint geocoding_pace_pkey primary key (provider)
);

comment on table geocoding_pace is 'Spaces the requests of all instances to a geocoder: one row for each that requires it.';
comment on column geocoding_pace.free_at is 'When the next request may be sent.';

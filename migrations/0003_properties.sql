create extension if not exists pg_trgm;
create extension if not exists btree_gin;

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
  bedrooms smallint generated always as ((features ->> 'bedrooms')::smallint) stored,
  bathrooms smallint generated always as ((features ->> 'bathrooms')::smallint) stored,
  main_m2 double precision generated always as (
    (case when type = 'Lote' then features ->> 'total_m2' else features ->> 'covered_m2' end)::double precision
  ) stored,
  listed_at timestamptz(3) generated always as (coalesce(published_at, created_at)) stored,
  constraint properties_pkey primary key (agency_id, id),
  constraint properties_agency_id_fkey foreign key (agency_id) references agencies (id),
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

create unique index properties_agency_external_id_key on properties (agency_id, external_id)
  where deleted_at is null;

create index properties_recent_idx
  on properties (agency_id, status, listed_at desc, public_id)
  include (operation, type, price_currency, price_amount, bedrooms, bathrooms, main_m2, updated_at, city_folded, id)
  where deleted_at is null;

create index properties_all_recent_idx on properties (agency_id, listed_at desc, public_id)
  include (id) where deleted_at is null;

create index properties_updated_idx on properties (agency_id, status, updated_at desc, public_id)
  include (id) where deleted_at is null;

create index properties_price_asc_idx on properties (agency_id, status, price_amount asc nulls last, public_id)
  include (price_currency, id) where deleted_at is null;

create index properties_price_desc_idx on properties (agency_id, status, price_amount desc nulls last, public_id)
  include (price_currency, id) where deleted_at is null;

create index properties_search_idx on properties
  using gin (agency_id, search_folded gin_trgm_ops, city_folded gin_trgm_ops) where deleted_at is null;

comment on table properties is 'The listings. Removed ones stay, with deleted_at set, until the operator restores them.';
comment on column properties.public_id is 'The public code, `id` in the API: 8 characters without look-alikes.';
comment on column properties.version is 'The agency''s revision when this listing last changed; its ETag comes from it.';
comment on column properties.status is 'draft, published or disabled. A removed listing keeps the one it had.';
comment on column properties.location_status is 'resolved, approximate, manual, unresolved; null without an address.';
comment on column properties.features is 'The features that have a value, in canonical form.';
comment on column properties.photos is 'Stored pictures in order, the cover first: the content hash, a dot, the upload''s own mark.';
comment on column properties.rental is 'min_stay (nights), min_lease_months, services_included; null unless sent for a rental.';
comment on column properties.close_amount is 'The real price of a listing sold or rented.';
comment on column properties.city_folded is 'city without case and accents, for search.';
comment on column properties.search_folded is 'title, address and city without case and accents, one a line, for search.';
comment on column properties.main_m2 is 'The area that min_m2 and max_m2 compare: covered; for lots, the land.';
comment on column properties.listed_at is 'What sort=recent orders by.';

create table photo_sources (
  agency_id uuid not null,
  property_id uuid not null,
  sources text[] not null,
  photos text[] not null,
  constraint photo_sources_pkey primary key (agency_id, property_id),
  constraint photo_sources_property_fkey foreign key (agency_id, property_id) references properties (agency_id, id)
    on delete cascade,
  constraint photo_sources_pairs_check check (cardinality(sources) = cardinality(photos))
);

comment on table photo_sources is 'Which URLs the photos of a listing came from: one row a listing, kept as long as it. Apart from properties, because only writes of photos need it. Photos stored before this table have no source.';
comment on column photo_sources.sources is 'Fingerprints of the URLs, the oldest first. Not the URLs, which may hold secrets.';
comment on column photo_sources.photos is 'For each source, the picture as in properties.photos. One that the listing no longer shows counts for nothing.';

-- Photos: files that no listing shows, and the URLs that photos came from.

create table unreferenced_photos (
  agency_id uuid not null,
  photo text collate "C" not null,
  delete_after timestamptz(3) not null,
  constraint unreferenced_photos_pkey primary key (agency_id, photo)
);

comment on table unreferenced_photos is 'Stored pictures that no listing shows. A row is written before the files, and removed by the transaction that puts the picture on a listing, so a crash leaves no file behind for ever.';
comment on column unreferenced_photos.photo is 'As in properties.photos.';
comment on column unreferenced_photos.delete_after is 'When the reaper may delete the files.';

-- Files to delete.
create index unreferenced_photos_delete_after_idx on unreferenced_photos (delete_after);

create table photo_sources (
  agency_id uuid not null,
  property_id uuid not null,
  sources text[] not null,
  photos text[] not null,
  warnings jsonb,
  warned_at timestamptz(3),
  to_mend smallint not null default 0,
  constraint photo_sources_pkey primary key (agency_id, property_id),
  constraint photo_sources_property_fkey foreign key (agency_id, property_id) references properties (agency_id, id)
    on delete cascade,
  constraint photo_sources_pairs_check check (cardinality(sources) = cardinality(photos))
);

comment on table photo_sources is 'Which URLs the photos of a listing came from, and which failed: one row per listing. Apart from properties, because only writes of photos need it.';
comment on column photo_sources.sources is 'Fingerprints of the URLs, the oldest first. Not the URLs, which may hold secrets.';
comment on column photo_sources.photos is 'For each source, the picture as in properties.photos. One that the listing no longer shows is ignored.';
comment on column photo_sources.warnings is 'JSON: the URLs that gave no photo, with the reason, and the photos kept in their place. Holds the URLs, which people have to see; cleared 90 days after the last of them. Null: none.';
comment on column photo_sources.warned_at is 'Moment of the latest warning; null: none.';
comment on column photo_sources.to_mend is 'How many of the warnings nobody has dismissed.';

-- The dashboard: listings with open warnings.
create index photo_sources_to_mend_idx on photo_sources (agency_id, warned_at desc) where to_mend > 0;
-- Clearing old warnings.
create index photo_sources_warned_at_idx on photo_sources (warned_at) where warned_at is not null;

-- Beside the sources: writes of photos read and store that row anyway, so that what failed costs no statement of its own.
alter table photo_sources
  add column warnings jsonb,
  add column warned_at timestamptz(3),
  add column to_mend smallint not null default 0;

comment on table photo_sources is 'Which URLs the photos of a listing came from, and which gave none: one row a listing, kept as long as it. Apart from properties, because only writes of photos need it. Photos stored before this table have no source.';
comment on column photo_sources.warnings is 'JSON: the URLs that gave no photo, with the reason, and photos kept because of them (properties/photo-warnings.ts). With the URLs, which people have to see; deleted 90 days after the last of them. Null: none.';
comment on column photo_sources.warned_at is 'When the latest of the warnings was; null without any.';
comment on column photo_sources.to_mend is 'How many of the warnings nobody has dismissed.';

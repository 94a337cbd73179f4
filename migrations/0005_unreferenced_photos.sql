create table unreferenced_photos (
  agency_id uuid not null,
  photo text collate "C" not null,
  delete_after timestamptz(3) not null,
  constraint unreferenced_photos_pkey primary key (agency_id, photo)
);

create index unreferenced_photos_delete_after_idx on unreferenced_photos (delete_after);

comment on table unreferenced_photos is 'Stored pictures that no listing shows. A row is written before the files are, and removed by the transaction that puts the picture on a listing; so a crash leaves nothing behind for ever.';
comment on column unreferenced_photos.photo is 'As in properties.photos.';
comment on column unreferenced_photos.delete_after is 'When the reaper may delete the files.';

create table backups (
  id uuid not null,
  is_routine boolean not null,
  made_at timestamptz(3) not null,
  ended_at timestamptz(3) not null,
  archive text,
  bytes bigint,
  sha256 text collate "C",
  agencies integer,
  listings integer,
  photos integer,
  is_verified boolean not null,
  error text,
  gone_at timestamptz(3),
  constraint backups_pkey primary key (id),
  constraint backups_outcome_check check (num_nonnulls(archive, bytes, sha256, agencies, listings, photos) = case when error is null then 6 else 0 end),
  constraint backups_gone_check check (error is null or gone_at is not null)
);

create index backups_gone on backups (gone_at) where gone_at is not null;

comment on table backups is 'The backups of this database that `svc backup` has made, and routine ones that failed.';
comment on column backups.is_routine is 'Made without `--to`: only these are deleted, as BACKUP_KEEP says.';
comment on column backups.made_at is 'The moment whose state the archive has. For a failure, its end.';
comment on column backups.archive is 'Its path, or its URL in a bucket.';
comment on column backups.is_verified is 'It was restored into a throw-away database, and every row and every picture in the archive could be read.';
comment on column backups.error is 'Why there is no archive.';
comment on column backups.gone_at is 'Since when there is no archive: it was deleted, or never made. The row is deleted later.';

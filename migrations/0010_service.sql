-- The service itself.

create table worker_looks (
  chore text collate "C" not null,
  next_at timestamptz(3) not null,
  constraint worker_looks_pkey primary key (chore)
);

comment on table worker_looks is 'On Citus: when the next instance looks for due work, so that many look no more often than one. One row per chore.';
comment on column worker_looks.next_at is 'The latest moment that an instance has reserved.';

create table demonstration (
  only_row boolean not null default true,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3),
  listings text[] not null default '{}',
  sealed_keys bytea,
  constraint demonstration_pkey primary key (only_row),
  constraint demonstration_only_row_check check (only_row),
  constraint demonstration_finished_check check ((finished_at is null) = (sealed_keys is null))
);

comment on table demonstration is 'Progress of the demonstration data: one row, or none if the database was never filled with it.';
comment on column demonstration.finished_at is 'Null: the fill is running or was interrupted; the next start resumes it.';
comment on column demonstration.listings is 'Names of the listings that are done, each added by its listing''s transaction; emptied at the end.';
comment on column demonstration.sealed_keys is 'Keys and passwords of the demonstration, encrypted with SECRET_KEY, to be shown at every start.';

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

comment on table demonstration is 'How far the demonstration data has come: no row where the database was never filled with it, one row at most.';
comment on column demonstration.finished_at is 'Null: the fill was interrupted, or goes on; the next start takes it up again.';
comment on column demonstration.listings is 'Names of the listings that are there, each written with its listing in one transaction; emptied when all are.';
comment on column demonstration.sealed_keys is 'Keys and passwords of the demonstration, encrypted under SECRET_KEY, to be shown at every start.';

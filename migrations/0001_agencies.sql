create table agencies (
  id uuid not null,
  name text not null,
  slug text not null,
  email text,
  active boolean not null default true,
  profile_version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint agencies_pkey primary key (id),
  constraint agencies_slug_key unique (slug),
  constraint agencies_slug_check check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 63),
  constraint agencies_name_check check (length(name) between 1 and 120)
);

comment on table agencies is 'The real-estate agencies. Not a tenant table: it is the tenants.';
comment on column agencies.slug is 'Names the agency in public addresses and on the command line.';
comment on column agencies.email is 'Where changes of state are notified; null means nowhere.';
comment on column agencies.active is 'False: every key of the agency gets 403 agency_not_active.';
comment on column agencies.profile_version is 'Raised when name or slug change, because both are part of every listing and so of its ETag.';

create table agency_revisions (
  agency_id uuid not null,
  revision bigint not null default 0,
  changed_at timestamptz(3) not null,
  constraint agency_revisions_pkey primary key (agency_id),
  constraint agency_revisions_agency_id_fkey foreign key (agency_id) references agencies (id)
) with (fillfactor = 20, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

comment on table agency_revisions is 'One narrow row an agency: the lock every write of the agency takes, and the number every list ETag comes from.';
comment on column agency_revisions.revision is 'Raised by one for each write of a listing, in the same transaction.';
comment on column agency_revisions.changed_at is 'Moment of the last write; the next one is always later, so updated_at never goes back.';

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
  constraint listing_history_property_fkey foreign key (agency_id, property_id) references properties (agency_id, id),
  constraint listing_history_actor_kind_check check (actor_kind in ('key', 'person', 'operator', 'system'))
);

comment on table listing_history is 'What happened to each listing, appended in the transaction of the write itself.';
comment on column listing_history.revision is 'The agency''s revision that this write made.';
comment on column listing_history.action is 'created, updated, published, disabled, closing_recorded, photos_added, reserved, released, deleted, restored.';
comment on column listing_history.actor_id is 'The key or person; null for the command line and the service itself.';
comment on column listing_history.changes is 'Field → {from, to}.';

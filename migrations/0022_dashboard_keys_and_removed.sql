alter table api_keys add column revokes_at timestamptz(3);

comment on column api_keys.revokes_at is 'When a rotated key stops by itself; null: when somebody revokes it.';

create table key_reminders (
  key_id uuid not null,
  days smallint not null,
  sent_at timestamptz(3) not null,
  constraint key_reminders_pkey primary key (key_id, days),
  constraint key_reminders_key_id_fkey foreign key (key_id) references api_keys (id)
);

comment on table key_reminders is 'Which keys'' owners were told by mail that the key ends in so many days.';

create index api_keys_expires_at_idx on api_keys (expires_at) where revoked_at is null;

create index properties_removed_idx on properties (agency_id, deleted_at desc, public_id) where deleted_at is not null;

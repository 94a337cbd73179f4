-- API keys.

create table api_keys (
  id uuid not null,
  agency_id uuid not null,
  name text not null,
  prefix text not null,
  fingerprint bytea not null,
  scopes text[] not null,
  allowed_origins text[] not null default '{}',
  signature_required boolean not null default false,
  signing_secret bytea,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  revokes_at timestamptz(3),
  revoked_at timestamptz(3),
  constraint api_keys_pkey primary key (id),
  constraint api_keys_agency_id_fkey foreign key (agency_id) references agencies (id),
  constraint api_keys_fingerprint_key unique (fingerprint),
  constraint api_keys_name_check check (length(name) between 1 and 120),
  constraint api_keys_scopes_check check (
    cardinality(scopes) > 0
    and scopes <@ array['properties:read', 'properties:write', 'leads:read', 'leads:write']
  ),
  -- A key that writes has no origins; a test key that writes, only origins on the developer's own machine.
  constraint api_keys_allowed_origins_check check (
    cardinality(allowed_origins) <= 5
    and (
      cardinality(allowed_origins) = 0
      or not scopes && array['properties:write', 'leads:write']
      or (
        prefix ~ '_test_[0-9A-Za-z]+$'
        and array_to_string(allowed_origins, ' ') ~ '^(http://(localhost|127[.]0[.]0[.]1)(:[0-9]{1,5})?( |$))+$'
      )
    )
  ),
  constraint api_keys_signing_secret_check check (not signature_required or signing_secret is not null)
);

comment on table api_keys is 'Keys of the API. Found by fingerprint before the agency is known. Revoked keys stay, because the history names them.';
comment on column api_keys.prefix is 'The beginning that is shown after creation: the fixed prefix and the first 4 characters of the secret part.';
comment on column api_keys.fingerprint is 'SHA-256 of the whole key. The key itself is never stored.';
comment on column api_keys.signing_secret is 'Signs requests; encrypted with SECRET_KEY.';
comment on column api_keys.expires_at is 'Null: never. Keys with write scope get one year, keys with a leads scope at most 90 days.';
comment on column api_keys.revokes_at is 'When a rotated key is revoked automatically; null: by hand.';

-- The keys of an agency.
create index api_keys_agency_id_idx on api_keys (agency_id, created_at);
-- Preflights: whether any key lists an origin.
create index api_keys_allowed_origins_idx on api_keys using gin (allowed_origins) where revoked_at is null;
-- Reminders of keys that expire soon.
create index api_keys_expires_at_idx on api_keys (expires_at) where revoked_at is null;

create table key_reminders (
  key_id uuid not null,
  days smallint not null,
  sent_at timestamptz(3) not null,
  constraint key_reminders_pkey primary key (key_id, days),
  constraint key_reminders_key_id_fkey foreign key (key_id) references api_keys (id)
);

comment on table key_reminders is 'Reminders sent to the owners of a key that expires. Kept for ever: two rows per key at most.';
comment on column key_reminders.days is 'How many days before the end.';

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
  revoked_at timestamptz(3),
  constraint api_keys_pkey primary key (id),
  constraint api_keys_agency_id_fkey foreign key (agency_id) references agencies (id),
  constraint api_keys_fingerprint_key unique (fingerprint),
  constraint api_keys_name_check check (length(name) between 1 and 120),
  constraint api_keys_scopes_check check (
    cardinality(scopes) > 0
    and scopes <@ array['properties:read', 'properties:write', 'leads:read', 'leads:write']
  ),
  constraint api_keys_allowed_origins_check check (
    cardinality(allowed_origins) <= 5
    and (cardinality(allowed_origins) = 0 or not scopes && array['properties:write', 'leads:write'])
  ),
  constraint api_keys_signing_secret_check check (not signature_required or signing_secret is not null)
);

create index api_keys_agency_id_idx on api_keys (agency_id, created_at);

comment on table api_keys is 'Keys of the API. Looked up by fingerprint before the agency is known, so not led by agency_id.';
comment on column api_keys.prefix is 'The beginning shown after creation: the fixed prefix and the first 4 characters of the secret part.';
comment on column api_keys.fingerprint is 'SHA-256 of the whole key; the key itself is never stored.';
comment on column api_keys.signing_secret is 'The request-signing secret, encrypted with SECRET_KEY.';
comment on column api_keys.expires_at is 'Null: never. Keys with write scope get one year, keys with a leads scope at most 90 days.';

create table used_signatures (
  agency_id uuid not null,
  key_id uuid not null,
  signature bytea not null,
  expires_at timestamptz(3) not null,
  constraint used_signatures_pkey primary key (agency_id, key_id, signature)
);

create index used_signatures_expires_at_idx on used_signatures (expires_at);

comment on table used_signatures is 'Signatures already seen, kept until their timestamp leaves the window.';

create table keyless_usage (
  subject text collate "C" not null,
  minute timestamptz(0) not null,
  used integer not null,
  constraint keyless_usage_pkey primary key (subject)
) with (fillfactor = 50);

create index keyless_usage_minute_idx on keyless_usage (minute);

comment on table keyless_usage is 'Requests without a valid key in the current minute: one row for all of them and one for each address. Belongs to no agency.';
comment on column keyless_usage.subject is 'A network address, or * for all.';

create index api_keys_allowed_origins_idx on api_keys using gin (allowed_origins) where revoked_at is null;

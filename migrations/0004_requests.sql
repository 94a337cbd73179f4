-- Requests of API keys: the signatures and Idempotency-Keys that they used, and their log.

create table used_signatures (
  agency_id uuid not null,
  key_id uuid not null,
  signature bytea not null,
  expires_at timestamptz(3) not null,
  constraint used_signatures_pkey primary key (agency_id, key_id, signature)
);

comment on table used_signatures is 'Signatures that were used, each valid once. Kept until their timestamp is too old anyway.';

-- Deleting expired rows.
create index used_signatures_expires_at_idx on used_signatures (expires_at);

create table idempotency_keys (
  agency_id uuid not null,
  key text collate "C" not null,
  request_hash bytea not null,
  token uuid not null,
  lease_until timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  status smallint,
  headers jsonb,
  body text,
  property_id uuid,
  revision bigint,
  rest text,
  constraint idempotency_keys_pkey primary key (agency_id, key),
  constraint idempotency_keys_answer_check check (
    (status is null) = (body is null and rest is null)
    and (body is null or rest is null)
    and (property_id is null) = (revision is null)
    and (property_id is null or rest is not null)
  )
);

comment on table idempotency_keys is 'Each Idempotency-Key with its request and the response to replay. Without a status the request is still running. The response to a write of listings is kept by reference: the listings and their history give it again.';
comment on column idempotency_keys.request_hash is 'SHA-256 of method, path and canonical body.';
comment on column idempotency_keys.token is 'Held by the request that claimed the key. One that lost its lease to a retry can no longer store a response.';
comment on column idempotency_keys.lease_until is 'A claim without a response is free again then: its process died.';
comment on column idempotency_keys.body is 'The whole response; null: kept by reference, or not there yet.';
comment on column idempotency_keys.property_id is 'The listing in the response, at `revision`; null: kept whole, or the response to a batch.';
comment on column idempotency_keys.rest is 'JSON: the parts of the response that the listing does not hold; for a batch also which listings. Null: kept whole.';

-- Deleting expired rows.
create index idempotency_keys_expires_at_idx on idempotency_keys (expires_at);

create table request_log (
  agency_id uuid not null,
  request_id uuid not null,
  key_id uuid not null,
  at timestamptz(3) not null,
  method text not null,
  path text not null,
  status smallint not null,
  code text,
  ms real not null,
  detail jsonb,
  constraint request_log_pkey primary key (agency_id, request_id)
);

comment on table request_log is 'API requests of each key in the last 7 days. Written in batches shortly after the responses; a crash may lose the last batch.';
comment on column request_log.request_id is 'A uuid of version 7, so their order is that of time: pages of all keys follow the primary key.';
comment on column request_log.path is 'Without the query, which may hold what people search for.';
comment on column request_log.code is 'Code of the error; null: none.';
comment on column request_log.ms is 'Duration in milliseconds.';
comment on column request_log.detail is 'What the response said besides status and code: message, parameters, warnings, items of a batch. Null: nothing. Never what was sent.';

-- Pages of one key.
create index request_log_of_key_idx on request_log (agency_id, key_id, request_id);
-- Pages of errors.
create index request_log_errors_idx on request_log (agency_id, request_id) where code is not null;
-- Deleting old entries.
create index request_log_at_idx on request_log (at);

create table request_days (
  agency_id uuid not null,
  key_id uuid not null,
  day timestamptz(0) not null,
  code text collate "C" not null,
  requests integer not null,
  constraint request_days_pkey primary key (agency_id, key_id, day, code)
);

comment on table request_days is 'How many API requests each key made per UTC day, by outcome. Kept for 90 days.';
comment on column request_days.day is 'Start of the UTC day.';
comment on column request_days.code is 'Code of the error; empty: none.';

-- Deleting old days.
create index request_days_day_idx on request_days (day);

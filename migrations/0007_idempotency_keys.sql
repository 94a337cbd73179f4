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
  constraint idempotency_keys_pkey primary key (agency_id, key),
  constraint idempotency_keys_answer_check check ((status is null) = (body is null))
);

create index idempotency_keys_expires_at_idx on idempotency_keys (expires_at);

comment on table idempotency_keys is 'What each Idempotency-Key was used for and answered with; a row without a status is a request that still runs.';
comment on column idempotency_keys.request_hash is 'SHA-256 of method, path and canonical body.';
comment on column idempotency_keys.token is 'Whoever holds it may store the answer: one that lost its lease to a retry cannot.';
comment on column idempotency_keys.lease_until is 'A claim without an answer is free again then: its process died.';

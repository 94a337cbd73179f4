-- The answer of a write of one listing is kept by reference: the listing and its history tell it again. Rows from before are not checked: all of them have an answer, or none, as the check before had it.
alter table idempotency_keys
  add column property_id uuid,
  add column revision bigint,
  add column rest text,
  drop constraint idempotency_keys_answer_check,
  add constraint idempotency_keys_answer_check check (
    (status is null) = (body is null and property_id is null)
    and (body is null or property_id is null)
    and (property_id is null) = (revision is null)
    and (property_id is null) = (rest is null)
  ) not valid;

comment on column idempotency_keys.body is 'The answer whole; null: it is kept by reference, or there is none yet.';
comment on column idempotency_keys.property_id is 'The listing that the answer shows, at revision; null: the answer is kept whole.';
comment on column idempotency_keys.rest is 'JSON: what the answer shows and the listing does not hold.';
comment on column listing_history.changes is 'Field → {from, to}; {} for a creation, which changes nothing that the listing and later entries do not tell.';

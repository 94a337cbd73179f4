-- The answer of a batch is kept by reference too: rest names the version of each listing that it shows.
-- Two statements, because Citus adds no constraint in one that does something else too.
alter table idempotency_keys drop constraint idempotency_keys_answer_check;
alter table idempotency_keys add constraint idempotency_keys_answer_check check (
  (status is null) = (body is null and rest is null)
  and (body is null or rest is null)
  and (property_id is null) = (revision is null)
  and (property_id is null or rest is not null)
) not valid;

comment on column idempotency_keys.property_id is 'The listing that the answer shows, at revision; null: the answer is kept whole, or is that of a batch.';
comment on column idempotency_keys.rest is 'JSON: what the answer shows and the listing does not hold; of a batch, which listings too. Null: the answer is kept whole.';

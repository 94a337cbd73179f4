-- Claims an Idempotency-Key for a request (src/http/writes/), or returns its use: a stored response that has not expired, or another
-- request whose lease has not ended. Called again with the same token, it renews the lease.
--
-- `commits_alone`: the claim is not part of the transaction of the request's effect. It then commits asynchronously. That is safe: if a
-- crash of the database loses the claim, it loses the effect too, which would have been committed later and synchronously.
--
-- Locks: the key's row, until the transaction ends. It waits for a transaction that has claimed the key. If it commits alone, it waits at
-- most 4 s: the `lockWaitMs` of the service, as a test checks.
create or replace function claim_key(agency uuid, wanted text, hash bytea, claimant uuid, lease_seconds int, retention_hours int,
  clock_offset float8, commits_alone bool)
returns table (is_claimed bool, used_by uuid, used_hash bytea, seconds_left int, status smallint, headers jsonb, body text,
  property_id uuid, revision bigint, rest text)
language plpgsql as $$
#variable_conflict use_column
declare
  present timestamptz := clock_timestamp() + clock_offset * interval '1 ms';
  lease_end timestamptz := present + lease_seconds * interval '1 second';
  expiry timestamptz := present + retention_hours * interval '1 hour';
begin
  if commits_alone then
    -- Model idempotency-key: lose claim
    perform set_config('synchronous_commit', 'off', true), set_config('lock_timeout', '4000ms', true);
  end if;
  loop
    insert into idempotency_keys as k (agency_id, key, request_hash, token, lease_until, expires_at)
    values (agency, wanted, hash, claimant, lease_end, expiry)
    on conflict (agency_id, key) do update set request_hash = hash, token = claimant, lease_until = lease_end, expires_at = expiry,
      status = null, headers = null, body = null, property_id = null, revision = null, rest = null
    -- Model idempotency-key: lease ends
    where k.expires_at <= present or k.status is null and (k.token = claimant or k.lease_until <= present);
    is_claimed := found;
    if not is_claimed then
      select k.token, k.request_hash, ceil(extract(epoch from k.lease_until - present)), k.status, k.headers, k.body, k.property_id,
        k.revision, k.rest
      into used_by, used_hash, seconds_left, status, headers, body, property_id, revision, rest
      from idempotency_keys k where k.agency_id = agency and k.key = wanted;
      -- Freed at the same moment: claim it again.
      continue when not found;
    end if;
    return next;
    return;
  end loop;
end $$;

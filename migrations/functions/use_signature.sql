-- Uses up the signature of a request (src/access/keys/). Each is valid once, while its timestamp is near the service's clock.
--
-- `signed_at`: the request's timestamp, in seconds. Returns null if the signature was fresh and unused, `stale` if the timestamp differs
-- from the clock by more than `tolerance_seconds`, `used` if the signature was used before. Stale signatures are not stored.
--
-- Locks: the signature's row, until the transaction ends; a replay at the same moment waits for that. The row outlives the tolerance by a
-- minute, so that it is still there when the timestamp becomes stale.
create or replace function use_signature(agency uuid, key uuid, signature bytea, signed_at float8, tolerance_seconds int,
  clock_offset float8)
returns text
language plpgsql as $$
declare
  now timestamptz := clock_timestamp() + clock_offset * interval '1 ms';
begin
  if abs(extract(epoch from now) - signed_at) > tolerance_seconds then
    return 'stale';
  end if;
  insert into used_signatures (agency_id, key_id, signature, expires_at)
  values (agency, key, use_signature.signature, to_timestamp(signed_at) + (tolerance_seconds + 60) * interval '1 second')
  on conflict do nothing;
  return case when found then null else 'used' end;
end $$;

-- Stores entries of the request log and counts them by day (src/access/request-log/request-log.ts).
--
-- `sent`: a JSON list of entries, of one agency or several. `ago`: milliseconds since the request. `times`: how many requests the entry
-- stands for. An entry without `is_kept` is only counted.
--
-- Locks: the counters, in the order of their keys, so that two calls never wait for each other in a circle. Commits asynchronously: a crash
-- of the database can lose the entries of its last fraction of a second.
--
-- It counts row by row: Citus would run an insert from a select shard by shard, in an order of its own.
create or replace function log_requests(sent json, clock_offset float8) returns void
language plpgsql as $$
declare
  now constant timestamptz := clock_timestamp() + clock_offset * interval '1 ms';
  counted record;
begin
  perform set_config('synchronous_commit', 'off', true);
  for counted in
    select e.agency_id, e.key_id, date_trunc('day', now - e.ago * interval '1 ms', 'UTC') as day, coalesce(e.code, '') as code,
      sum(e.times)::int as requests
    from json_to_recordset(sent) as e (agency_id uuid, key_id uuid, code text, ago float8, times int)
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
  loop
    insert into request_days as d (agency_id, key_id, day, code, requests)
    values (counted.agency_id, counted.key_id, counted.day, counted.code, counted.requests)
    on conflict (agency_id, key_id, day, code) do update set requests = d.requests + excluded.requests;
  end loop;
  insert into request_log (agency_id, request_id, key_id, at, method, path, status, code, ms, detail)
  select e.agency_id, e.request_id, e.key_id, now - e.ago * interval '1 ms', e.method, e.path, e.status, e.code, e.ms,
    e.detail::jsonb
  from json_to_recordset(sent) as e (agency_id uuid, request_id uuid, key_id uuid, ago float8, method text, path text, status smallint,
    code text, ms real, detail text, is_kept bool)
  where e.is_kept;
end $$;

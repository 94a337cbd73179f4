-- Reads API keys with their agencies, and charges each for its requests (src/access/keys/). It does not judge a key: the caller does,
-- from the row read here, and asks for no charge if the key may not pass.
--
-- One call serves requests that arrive together: `reads` and `writes` are the charge for each key, 0 and 0 to read it only. It grants as
-- much of them as the current minute and day have left, by the database's clock. The limits are the service's defaults; an agency's own
-- take precedence.
--
-- Locks: the counters of each charged key, in the order of the keys' ids, so that two calls never wait for each other in a circle. Counters
-- without room are not written, and not even locked if they are seen to be full before: a version per refusal would slow every later read
-- of the row. Commits asynchronously: a crash of the database can lose the counts of its last fraction of a second.
--
-- Statements on rows of agencies read one table each: Citus plans a join of distributed tables anew at each execution.
create or replace function admit_keys(keys uuid[], reads int[], writes int[], clock_offset float8,
  reads_per_minute int, reads_per_day int, writes_per_minute int, writes_per_day int)
returns table (key_id uuid, agency_id uuid, name text, prefix text, scopes text[], created_at timestamptz, expires_at timestamptz,
  revoked_at timestamptz, revokes_at timestamptz, signature_required bool, signing_secret bytea, allowed_origins text[], agency_name text,
  slug text, active bool, profile_version int, test_of uuid, revision bigint, own_limits jsonb, looked_at timestamptz, minute timestamptz,
  day timestamptz, granted_reads int, granted_writes int, minute_reads int, minute_writes int, day_reads int, day_writes int)
language plpgsql as $$
#variable_conflict use_column
declare
  this_minute timestamptz;
  this_day timestamptz;
  wanted_reads int;
  wanted_writes int;
  max_minute_reads int;
  max_day_reads int;
  max_minute_writes int;
  max_day_writes int;
  used key_usage;
  is_locked bool;
begin
  perform set_config('synchronous_commit', 'off', true);
  looked_at := clock_timestamp() + clock_offset * interval '1 ms';
  this_minute := date_bin('1 minute', looked_at, 'epoch');
  this_day := date_bin('1 day', looked_at, 'epoch');
  for key_id, agency_id, name, prefix, scopes, created_at, expires_at, revoked_at, revokes_at, signature_required, signing_secret,
    allowed_origins, agency_name, slug, active, profile_version, test_of, wanted_reads, wanted_writes in
    select k.id, k.agency_id, k.name, k.prefix, k.scopes, k.created_at, k.expires_at, k.revoked_at, k.revokes_at, k.signature_required,
      k.signing_secret, k.allowed_origins, a.name, a.slug, a.active, a.profile_version, a.test_of,
      reads[array_position(keys, k.id)], writes[array_position(keys, k.id)]
    from api_keys k join agencies a on a.id = k.agency_id where k.id = any (keys) order by k.id
  loop
    -- Model cached-responses: admit
    select r.revision, r.limits into revision, own_limits from agency_revisions r where r.agency_id = admit_keys.agency_id;
    minute := this_minute;
    day := this_day;
    granted_reads := wanted_reads;
    granted_writes := wanted_writes;
    if wanted_reads + wanted_writes > 0 then
      max_minute_reads := reads_per_minute;
      max_day_reads := reads_per_day;
      max_minute_writes := writes_per_minute;
      max_day_writes := writes_per_day;
      if own_limits is not null then
        max_minute_reads := limit_in_force(own_limits, 'reads_per_minute', reads_per_minute, looked_at);
        max_day_reads := limit_in_force(own_limits, 'reads_per_day', reads_per_day, looked_at);
        max_minute_writes := limit_in_force(own_limits, 'writes_per_minute', writes_per_minute, looked_at);
        max_day_writes := limit_in_force(own_limits, 'writes_per_day', writes_per_day, looked_at);
      end if;
      -- Usually the counters are of the current windows and have room for everything.
      update key_usage u set
        minute_reads = u.minute_reads + wanted_reads, day_reads = u.day_reads + wanted_reads,
        minute_writes = u.minute_writes + wanted_writes, day_writes = u.day_writes + wanted_writes
      where u.agency_id = admit_keys.agency_id and u.key_id = admit_keys.key_id and u.minute = this_minute and u.day = this_day
        and u.minute_reads + wanted_reads <= max_minute_reads and u.day_reads + wanted_reads <= max_day_reads
        and u.minute_writes + wanted_writes <= max_minute_writes and u.day_writes + wanted_writes <= max_day_writes
      returning u.minute_reads, u.minute_writes, u.day_reads, u.day_writes into minute_reads, minute_writes, day_reads, day_writes;
      if not found then
        -- A new window, too little room, or a key without counters. Decided under the row's lock, which is taken only if there is room.
        is_locked := false;
        loop
          if is_locked then
            select * into used from key_usage u where u.agency_id = admit_keys.agency_id and u.key_id = admit_keys.key_id for update;
          else
            select * into used from key_usage u where u.agency_id = admit_keys.agency_id and u.key_id = admit_keys.key_id;
          end if;
          if not found then
            insert into key_usage (agency_id, key_id, minute, day, minute_reads, minute_writes, day_reads, day_writes)
            values (admit_keys.agency_id, admit_keys.key_id, this_minute, this_day, 0, 0, 0, 0) on conflict do nothing;
            continue;
          end if;
          -- Windows only go forward, even if the later of two waiting calls gets the row first.
          if used.minute < this_minute then
            used.minute := this_minute;
            used.minute_reads := 0;
            used.minute_writes := 0;
          end if;
          if used.day < this_day then
            used.day := this_day;
            used.day_reads := 0;
            used.day_writes := 0;
          end if;
          granted_reads := greatest(0, least(wanted_reads, max_minute_reads - used.minute_reads, max_day_reads - used.day_reads));
          granted_writes := greatest(0, least(wanted_writes, max_minute_writes - used.minute_writes, max_day_writes - used.day_writes));
          exit when is_locked or granted_reads + granted_writes = 0;
          is_locked := true;
        end loop;
        minute := used.minute;
        day := used.day;
        minute_reads := used.minute_reads + granted_reads;
        minute_writes := used.minute_writes + granted_writes;
        day_reads := used.day_reads + granted_reads;
        day_writes := used.day_writes + granted_writes;
        if granted_reads + granted_writes > 0 then
          update key_usage u set minute = admit_keys.minute, day = admit_keys.day,
            minute_reads = admit_keys.minute_reads, minute_writes = admit_keys.minute_writes,
            day_reads = admit_keys.day_reads, day_writes = admit_keys.day_writes
          where u.agency_id = admit_keys.agency_id and u.key_id = admit_keys.key_id;
        end if;
      end if;
    end if;
    return next;
  end loop;
end $$;

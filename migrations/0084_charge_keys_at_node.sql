-- Admits keys that passed a moment ago, at the node of Citus that holds their agencies: reads each with its agency, and charges it. What may not be
-- charged in full is not charged, and has no counters in its row. The caller judges the rest, and takes back (keys/admit-at-node.ts). Citus plans
-- the statement over tables that every node has anew at each call, and the others once a connection; together they are one transaction. Keys
-- are charged in the order of their ids, so that two calls never wait for each other.
create function charge_keys(all_keys uuid[], all_reads int[], all_writes int[], this_minute timestamptz, this_day timestamptz,
  reads_per_minute int, reads_per_day int, writes_per_minute int, writes_per_day int)
returns table (key_id uuid, agency_id uuid, name text, prefix text, scopes text[], created_at timestamptz, expires_at timestamptz,
  revoked_at timestamptz, revokes_at timestamptz, signature_required bool, signing_secret bytea, allowed_origins text[], agency_name text,
  slug text, active bool, profile_version int, test bool, revision bigint, limits jsonb, minute_reads int, minute_writes int,
  day_reads int, day_writes int)
language plpgsql as $$
#variable_conflict use_column
declare
  reads int;
  writes int;
begin
  for key_id, agency_id, name, prefix, scopes, created_at, expires_at, revoked_at, revokes_at, signature_required, signing_secret,
    allowed_origins, agency_name, slug, active, profile_version, test, reads, writes in
    select k.id, k.agency_id, k.name, k.prefix, k.scopes, k.created_at, k.expires_at, k.revoked_at, k.revokes_at, k.signature_required,
      k.signing_secret, k.allowed_origins, a.name, a.slug, a.active, a.profile_version, a.test_of is not null,
      all_reads[array_position(all_keys, k.id)], all_writes[array_position(all_keys, k.id)]
    from api_keys k join agencies a on a.id = k.agency_id where k.id = any (all_keys) order by k.id
  loop
    select r.revision, r.limits into revision, limits from agency_revisions r where r.agency_id = charge_keys.agency_id;
    update key_usage u set
      minute_reads = u.minute_reads + reads, day_reads = u.day_reads + reads,
      minute_writes = u.minute_writes + writes, day_writes = u.day_writes + writes
    where u.agency_id = charge_keys.agency_id and u.key_id = charge_keys.key_id and u.minute = this_minute and u.day = this_day
      and u.minute_reads + reads <= reads_per_minute and u.day_reads + reads <= reads_per_day
      and u.minute_writes + writes <= writes_per_minute and u.day_writes + writes <= writes_per_day
    returning u.minute_reads, u.minute_writes, u.day_reads, u.day_writes into minute_reads, minute_writes, day_reads, day_writes;
    return next;
  end loop;
end $$;

-- Rejected, outbox: correlated subqueries are not supported when the FROM clause contains a set returning function
with raised as (
update agency_revisions set revision = $2, changed_at = $3, hour = $4, hour_new_listings = $5, day = $6, day_new_listings = $7
where agency_id = $1), written as (insert into properties (agency_id, id, public_id, version, status, external_id, title, description, operation, type, price_amount, price_currency, price_period, price_on_request, expenses_amount, expenses_currency, address, city, province, lat, lng, location_status, features, amenities, video_url, video_urls, virtual_tour_url, rental, photos, reserved, close_reason, closed_at, close_amount, close_currency, published_at, created_at, updated_at, deleted_at, city_folded, search_folded, street_key, city_key, address_rules) values ($8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49, $50)),
  noted as (
    insert into notification_events (agency_id, id, property_id, sequence, type, revision, at, listing)
    select e.agency_id, e.id, e.property_id,
      row_number() over (partition by e.agency_id, e.property_id order by e.revision) + coalesce((
        select max(sequence) from notification_events before
        where before.agency_id = e.agency_id and before.property_id = e.property_id), 0),
      e.type, e.revision, e.at, e.listing
    from json_to_recordset($61::json)
        as e (agency_id uuid, id uuid, property_id uuid, type text, revision bigint, at timestamptz, listing jsonb)
    returning agency_id, id, property_id, revision, at
  ),
  addressed as (
    select agency_id, id, revision, 'mail' as channel, agency_id as lane, at + interval '5 seconds' as due_at from noted
    union all
    select agency_id, id, revision, 'marketplace', property_id, at from noted
  ),
  delivering as (
    insert into notification_deliveries (agency_id, event_id, channel, lane, revision)
    select agency_id, id, channel, lane, revision from addressed
  ),
  woken as (
    insert into notification_lanes as l (agency_id, channel, lane, due_at)
    select agency_id, channel, lane, min(due_at) from addressed group by agency_id, channel, lane
    -- In one order, as all do who lock several lanes (lanes.ts).
    order by agency_id, channel, lane
    on conflict (agency_id, channel, lane) do update
      set version = l.version + 1, due_at = coalesce(l.due_at, greatest(excluded.due_at, l.rests_until))
  ) insert into listing_history (agency_id, property_id, revision, at, action, actor_kind, actor_id, actor_name, request_id, changes)
values ($51, $52, $53, $54, $55, $56, $57, $58, $59, $60);

-- Rejected, admit: complex joins are only supported when all distributed tables are co-located and joined on their distribution columns
with moment as (
  select clock_timestamp() + $7::float8 * interval '1 ms' as now, set_config('synchronous_commit', 'off', true)
), windows as (
  select now, date_bin(interval '1 minute', now, timestamptz 'epoch') as minute, date_bin(interval '1 day', now, timestamptz 'epoch') as day
  from moment
), known as (
  select wanted.position::int as position, wanted.reads, wanted.writes,
    k.id as key_id, k.name, k.prefix, k.scopes, k.created_at, k.expires_at, k.signature_required, k.signing_secret,
    k.allowed_origins, k.revoked_at is not null or coalesce(k.revokes_at <= windows.now, false) as revoked,
    coalesce(k.expires_at <= windows.now, false) as expired,
    a.id as agency_id, a.name as agency_name, a.slug, a.active, a.profile_version,
    a.test_of is not null as test, r.revision,
    r.limits as own_limits, null::timestamptz as judged_at,
    k.revoked_at is null and coalesce(k.revokes_at > windows.now, true)
      and coalesce(k.expires_at > windows.now, true) and a.active
      and (wanted.scope = any (k.scopes)
        or (wanted.scope = 'any' and k.scopes && array['properties:read', 'properties:write']))
      and (wanted.origin is null or wanted.origin = any (k.allowed_origins)
        or (wanted.is_own_origin and a.test_of is not null))
      and (wanted.signed or not k.signature_required) as passes,
    before.*
  from windows
  cross join unnest($1::bytea[], $2::text[], $3::text[], $4::bool[], $5::int[], $6::int[], $12::bool[], $13::bool[])
    with ordinality
    as wanted (fingerprint, scope, origin, signed, reads, writes, is_exhausted, is_own_origin, position)
  join api_keys k on k.fingerprint = wanted.fingerprint
  join agencies a on a.id = k.agency_id
  join agency_revisions r on r.agency_id = a.id

  left join lateral (
    select * from key_usage where agency_id = k.agency_id and key_id = k.id and wanted.is_exhausted offset 0
  ) u on true
  cross join lateral (select * from
(select greatest(u.minute, windows.minute) as minute, greatest(u.day, windows.day) as day) current
cross join lateral (select
  case when u.minute >= current.minute then u.minute_reads else 0 end as mr,
  case when u.minute >= current.minute then u.minute_writes else 0 end as mw,
  case when u.day >= current.day then u.day_reads else 0 end as dr,
  case when u.day >= current.day then u.day_writes else 0 end as dw) used
cross join lateral (select
  greatest(0, least($8::int - mr, $9::int - dr)) as reads_left,
  greatest(0, least($10::int - mw, $11::int - dw)) as writes_left) room) before
), demand as (
  select agency_id, key_id, sum(reads)::int as reads, sum(writes)::int as writes
  from known where passes and own_limits is null and (reads > 0 and reads_left > 0 or writes > 0 and writes_left > 0)
  group by agency_id, key_id
), charged as (
  insert into key_usage as u (agency_id, key_id, minute, day,
    minute_reads, day_reads, granted_reads, minute_writes, day_writes, granted_writes)
  select agency_id, key_id, minute, day, r, r, r, w, w, w
  from demand cross join windows
  cross join lateral (select least(reads, $8::int, $9::int) as r, least(writes, $10::int, $11::int) as w) first
  order by agency_id, key_id
  on conflict (agency_id, key_id) do update set
    (minute, day, minute_reads, day_reads, granted_reads, minute_writes, day_writes, granted_writes) = (
      select minute, day, mr + r, dr + r, r, mw + w, dw + w, w
      from
(select greatest(u.minute, excluded.minute) as minute, greatest(u.day, excluded.day) as day) current
cross join lateral (select
  case when u.minute >= current.minute then u.minute_reads else 0 end as mr,
  case when u.minute >= current.minute then u.minute_writes else 0 end as mw,
  case when u.day >= current.day then u.day_reads else 0 end as dr,
  case when u.day >= current.day then u.day_writes else 0 end as dw) used
cross join lateral (select
  greatest(0, least($8::int - mr, $9::int - dr)) as reads_left,
  greatest(0, least($10::int - mw, $11::int - dw)) as writes_left) room
      cross join lateral (select
        least(excluded.granted_reads, reads_left) as r, least(excluded.granted_writes, writes_left) as w) granted
    )
  returning *
)
select position, known.key_id, name, prefix, scopes, created_at, expires_at, signature_required, signing_secret, allowed_origins,
  revoked, expired, known.agency_id, agency_name, slug, active, profile_version, test, revision,
  own_limits, judged_at, case when passes then coalesce(c.granted_reads, 0) end as granted_reads, coalesce(c.granted_writes, 0) as granted_writes,
  coalesce(c.minute_reads, mr) as minute_reads, coalesce(c.minute_writes, mw) as minute_writes,
  coalesce(c.day_reads, dr) as day_reads, coalesce(c.day_writes, dw) as day_writes,
  ceil(extract(epoch from coalesce(c.minute, known.minute) + interval '1 minute' - windows.now))::int as minute_resets,
  ceil(extract(epoch from coalesce(c.day, known.day) + interval '1 day' - windows.now))::int as day_resets
from known cross join windows
left join charged c on c.agency_id = known.agency_id and c.key_id = known.key_id and known.passes;

-- Rejected, create-together: complex joins are only supported when all distributed tables are co-located and joined on their distribution columns
with moment as materialized (
  select now, date_bin(interval '1 hour', now, timestamptz 'epoch') as hour, date_bin(interval '1 day', now, timestamptz 'epoch') as day, set_config('lock_timeout', '4s', true)
  from (select clock_timestamp() + $3::float8 * interval '1 ms' as now) present
), asked as materialized (
  select * from json_to_recordset($1::json) as asked (agency_id uuid, property_id uuid, external_id text, street_key text, city_key text,
    key text, hash bytea, token uuid, status smallint, rest text, actor_id uuid, actor_name text, request_id text)
), free as materialized (
  select * from asked cross join lateral (select ctid as place from agency_revisions where agency_id = asked.agency_id offset 0) seen
  where not exists (select from properties where agency_id = asked.agency_id and external_id = asked.external_id and deleted_at is null
      offset 0)
    and not exists (select from properties where agency_id = asked.agency_id and street_key = asked.street_key and (city_key is null or asked.city_key is null or city_key = asked.city_key)
  and deleted_at is null offset 0)
), locked as materialized (
  select free.*, agency.revision + 1 as revision, now,
    greatest(date_trunc('milliseconds', now), agency.changed_at + interval '1 ms') as at,
    greatest(agency.hour, moment.hour) as hour, case when agency.hour >= moment.hour then agency.hour_new_listings else 0 end + 1 as used_of_hour,
    greatest(agency.day, moment.day) as day, case when agency.day >= moment.day then agency.day_new_listings else 0 end + 1 as used_of_day
  from moment cross join free cross join lateral (
    select *, ctid as place_now from agency_revisions where agency_id = free.agency_id and limits is null
    for no key update skip locked) agency
  where agency.place_now = free.place and case when agency.hour >= moment.hour then agency.hour_new_listings else 0 end < $4::int and case when agency.day >= moment.day then agency.day_new_listings else 0 end < $5::int
), kept as (
  insert into idempotency_keys (agency_id, key, request_hash, token, lease_until, expires_at, status, property_id, revision, rest)
  select agency_id, key, hash, token, now, now + interval '24 hours', status, property_id, revision, rest from locked
  on conflict (agency_id, key) do nothing returning agency_id
), raised as (
  update agency_revisions r set revision = locked.revision, changed_at = at, hour = locked.hour, hour_new_listings = used_of_hour,
    day = locked.day, day_new_listings = used_of_day
  from locked join kept using (agency_id) where r.ctid = place
  returning locked.agency_id, property_id, locked.revision, at, actor_id, actor_name, request_id
), written as (
  insert into properties (agency_id, id, public_id, version, status, external_id, title, description, operation, type, price_amount, price_currency, price_period, price_on_request, expenses_amount, expenses_currency, address, city, province, lat, lng, location_status, features, amenities, video_url, video_urls, virtual_tour_url, rental, photos, reserved, close_reason, closed_at, close_amount, close_currency, published_at, created_at, updated_at, deleted_at, city_folded, search_folded, street_key, city_key, address_rules)
  select sent.agency_id, sent.id, sent.public_id, raised.revision, sent.status, sent.external_id, sent.title, sent.description, sent.operation, sent.type, sent.price_amount, sent.price_currency, sent.price_period, sent.price_on_request, sent.expenses_amount, sent.expenses_currency, sent.address, sent.city, sent.province, sent.lat, sent.lng, sent.location_status, sent.features, sent.amenities, sent.video_url, sent.video_urls, sent.virtual_tour_url, sent.rental, sent.photos, sent.reserved, sent.close_reason, sent.closed_at, sent.close_amount, sent.close_currency, sent.published_at, raised.at, raised.at, sent.deleted_at, sent.city_folded, sent.search_folded, sent.street_key, sent.city_key, sent.address_rules
  from json_populate_recordset(null::properties, $2::json) sent join raised on raised.agency_id = sent.agency_id
)
insert into listing_history (agency_id, property_id, revision, at, action, actor_kind, actor_id, actor_name, request_id)
select agency_id, property_id, revision, at, 'created', 'key', actor_id, actor_name, request_id from raised
returning agency_id, revision, at;

-- Rejected, admit-known: non-IMMUTABLE functions are not allowed in the RETURNING clause
update key_usage u set
  minute_reads = minute_reads + $3::int, day_reads = day_reads + $3,
  minute_writes = minute_writes + $4::int, day_writes = day_writes + $4
from api_keys k, agencies a, agency_revisions r,
  (select clock_timestamp() + $5::float8 * interval '1 ms' as now) moment
where u.agency_id = $1 and u.key_id = $2 and a.id = $1 and r.agency_id = $1 and k.id = $2 and k.agency_id = $1
  and u.minute = date_bin(interval '1 minute', now, timestamptz 'epoch') and u.day = date_bin(interval '1 day', now, timestamptz 'epoch')
  and u.minute_reads + $3 <= $6::int and u.day_reads + $3 <= $7::int
  and u.minute_writes + $4 <= $8::int and u.day_writes + $4 <= $9::int
  and k.revoked_at is null and (k.revokes_at is null or k.revokes_at > now) and (k.expires_at is null or k.expires_at > now)
  and a.active and r.limits is null
  and k.scopes && $10::text[]
  and ($11::text is null or $11 = any (k.allowed_origins) or ($12::bool and a.test_of is not null))
  and ($13::bool or not k.signature_required)
returning k.name, k.prefix, k.scopes, k.created_at, k.expires_at, k.signature_required, k.signing_secret, k.allowed_origins,
  a.name as agency_name, a.slug, a.profile_version, a.test_of is not null as test, r.revision,
  u.minute_reads, u.minute_writes, u.day_reads, u.day_writes,
  ceil(extract(epoch from u.minute + interval '1 minute' - now))::int as minute_resets,
  ceil(extract(epoch from u.day + interval '1 day' - now))::int as day_resets,
  set_config('synchronous_commit', 'off', true);

-- Rejected, idempotency: functions used in the WHERE clause of the ON CONFLICT clause of INSERTs on distributed tables must be marked IMMUTABLE
with moment as materialized (
  select clock_timestamp() + $5::float8 * interval '1 ms' as now,
    case when $6 then set_config('synchronous_commit', 'off', true) || set_config('lock_timeout', '4s', true) end as settings
), claimed as (
  insert into idempotency_keys as i (agency_id, key, request_hash, token, lease_until, expires_at)
  select $1, $2, $3, $4, now + 60 * interval '1 second', now + 24 * interval '1 hour' from moment
  on conflict (agency_id, key) do update set request_hash = excluded.request_hash, token = excluded.token,
    lease_until = excluded.lease_until, expires_at = excluded.expires_at, status = null, headers = null, body = null,
    property_id = null, revision = null, rest = null
  where i.expires_at <= excluded.lease_until - 60 * interval '1 second'
    or (i.status is null
      and (i.token = excluded.token or i.lease_until <= excluded.lease_until - 60 * interval '1 second'))
  returning 1
)
select null as used from claimed
union all
select row_to_json(used) from (
select encode(request_hash, 'base64') as hash, token, ceil(extract(epoch from lease_until - now))::int as lease_seconds,
  status, headers, body, property_id, revision, rest
from idempotency_keys, moment
where agency_id = $1 and key = $2 and expires_at > now and (status is not null or lease_until > now)) used where not exists (select from claimed);

-- Rejected, keys: functions used in UPDATE queries on distributed tables must not be VOLATILE
update "api_keys" set "revoked_at" = least(coalesce(revoked_at, clock_timestamp() + $1::float8 * interval '1 ms'), revokes_at) where "agency_id" = $2 and "id" = $3 returning "id", "name", "prefix", revoked_at as "revoked_at";

-- Rejected, agencies: functions used in UPDATE queries on distributed tables must not be VOLATILE
update "agencies" set "active" = $1, "updated_at" = clock_timestamp() + $2::float8 * interval '1 ms' where "id" = $3 and "active" != $4;

-- Rejected, geocode-unresolved: could not run distributed query with FOR UPDATE/SHARE commands
with moment as materialized (select clock_timestamp() + $2::float8 * interval '1 ms' as at),
fresh as materialized (
  select p.agency_id, p.id, p.version, p.address, p.city, p.province from properties p
  where p.location_status = 'unresolved' and p.address is not null and p.deleted_at is null and (p.sought_version is null or p.sought_version < p.version)
  order by p.updated_at limit $1 for no key update skip locked
),
marked as (
  update properties p set sought_version = fresh.version
  from fresh where p.agency_id = fresh.agency_id and p.id = fresh.id
),
again as materialized (
  select a.agency_id, a.property_id, a.version from geocoding_attempts a
  where a.next_attempt_at <= (select at from moment)
    and a.property_id <> all (array(select id from fresh))
  order by a.next_attempt_at limit $1 - (select count(*) from fresh) for update skip locked
),
due as materialized (
  select agency_id, id, version, address, city, province from fresh
  union all
  select p.agency_id, p.id, p.version, p.address, p.city, p.province
  from again join properties p on p.agency_id = again.agency_id and p.id = again.property_id
  where p.location_status = 'unresolved' and p.address is not null and p.deleted_at is null and p.version = again.version
),
forgotten as (
  delete from geocoding_attempts a using again
  where a.agency_id = again.agency_id and a.property_id = again.property_id
    and not exists (select from due where due.agency_id = a.agency_id and due.id = a.property_id)
),
claimed as (
  insert into geocoding_attempts as a (agency_id, property_id, version, attempts, next_attempt_at)
  select agency_id, id, version, 1, at + $3::float8 * interval '1 ms' from due cross join moment
  on conflict (agency_id, property_id) do update
    set version = excluded.version,
      attempts = case when a.version < excluded.version then 1 else a.attempts + 1 end,
      next_attempt_at = (select at from moment) + interval '1 ms'
        * case when a.version < excluded.version then $3::float8 else least($3::float8 * 2 ^ least(a.attempts, 20), $4::float8) end
    where a.version < excluded.version or a.next_attempt_at <= (select at from moment)
  returning agency_id, property_id
)
select due.agency_id, due.id, due.address, due.city, due.province, claimed.agency_id is not null as is_claimed
from due left join claimed on claimed.agency_id = due.agency_id and claimed.property_id = due.id
order by due.agency_id, due.id;

-- Rejected, reaper: could not run distributed query with FOR UPDATE/SHARE commands
delete from idempotency_keys where (agency_id, key) in (
  select agency_id, key from idempotency_keys
  where true and expires_at <= (select clock_timestamp() + $2::float8 * interval '1 ms' - interval '0')
  order by expires_at limit $1 for update skip locked
) returning 1;

-- Rejected, unreferenced: could not run distributed query with FOR UPDATE/SHARE commands
with due as materialized (
  select agency_id, photo, delete_after from unreferenced_photos
  where delete_after <= (select clock_timestamp() + $2::float8 * interval '1 ms')
  order by delete_after = '-infinity', delete_after limit $1 for update skip locked
),
agencies as materialized (
  select agency_id, min(delete_after) - interval '25 hours' as since, array_agg(photo) as photos
  from due where delete_after > '-infinity' group by agency_id
),
shown as materialized (
  select agencies.agency_id, photo
  from agencies cross join lateral (
    select p.photos from properties p
    where p.agency_id = agencies.agency_id and p.deleted_at is null
      and p.status in ('draft', 'published', 'disabled') and p.updated_at >= agencies.since
    union all
    select p.photos from properties p where p.agency_id = agencies.agency_id and p.deleted_at >= agencies.since
  ) recent cross join lateral unnest(recent.photos) as photo
  where recent.photos && agencies.photos and photo = any (agencies.photos)
),
kept as (
  delete from unreferenced_photos u using shown where u.agency_id = shown.agency_id and u.photo = shown.photo
),
condemned as (
  update unreferenced_photos u set delete_after = '-infinity' from due
  where u.agency_id = due.agency_id and u.photo = due.photo
    and not exists (select from shown where shown.agency_id = due.agency_id and shown.photo = due.photo)
)
select due.agency_id, due.photo,
  exists (select from shown where shown.agency_id = due.agency_id and shown.photo = due.photo) as is_shown
from due;

-- Rejected, lanes: could not run distributed query with FOR UPDATE/SHARE commands
with moment as materialized (
  select date_trunc('milliseconds', clock_timestamp() + $3::float8 * interval '1 ms') as at),
due as materialized (
  select l.agency_id, l.lane from notification_lanes l
  where l.channel = $1 and l.due_at <= (select at from moment)
  order by l.due_at limit $2 for update skip locked
)
update notification_lanes l
set token = $4, due_at = moment.at + $5::float8 * interval '1 ms'
from due cross join moment
where l.agency_id = due.agency_id and l.channel = $1 and l.lane = due.lane
returning l.agency_id, l.lane, l.version, l.failures, moment.at as taken_at;

-- Rejected, reap: could not run distributed query with FOR UPDATE/SHARE commands
with due as materialized (
  select agency_id, event_id, channel from notification_deliveries
  where state in ('delivered', 'skipped', 'not_configured') and ended_at <= (select clock_timestamp() + $2::float8 * interval '1 ms' - $3::int * interval '1 day')
  order by ended_at limit $1 for update skip locked
)
select due.agency_id, due.event_id, due.channel, set_config('idle_in_transaction_session_timeout', '20s', true) || set_config('lock_timeout', '4s', true) as bounded
from due join notification_events e on e.agency_id = due.agency_id and e.id = due.event_id
for update of e skip locked;

-- Rejected, request-log: could not run distributed query with FOR UPDATE/SHARE commands
delete from request_log where (agency_id, request_id) in (
  select agency_id, request_id from request_log
  where true and at <= (select clock_timestamp() + $2::float8 * interval '1 ms' - interval '7 days')
  order by at limit $1 for update skip locked
) returning 1;

-- Rejected, geocode-unresolved: functions used in UPDATE queries on distributed tables must not be VOLATILE
update geocoding_attempts as a
set attempts = 0, next_attempt_at = clock_timestamp() + $1::float8 * interval '1 ms'
from unnest($2::uuid[], $3::uuid[]) as due (agency_id, id)
where a.agency_id = due.agency_id and a.property_id = due.id;

-- Rejected, preferences: modifying the partition value of rows is not allowed
insert into "notification_preferences" ("agency_id", "mail", "language") values ($1, $2, $3) on conflict ("agency_id") do update set "agency_id" = $4, "mail" = $5, "language" = $6 returning "mail", "language";

-- Rejected, retry-by-operator: could not run distributed query with FOR UPDATE/SHARE commands
select l.agency_id, l.channel, l.lane from notification_lanes l
where (l.agency_id, l.channel, l.lane) in (select d.agency_id, d.channel, d.lane from notification_deliveries d where d.state = any ($1) and d.channel = any ($2)
  and ($3::uuid is null or d.agency_id = $4::uuid))
order by l.agency_id, l.channel, l.lane for update;

-- Rejected, retry-by-operator: functions used in UPDATE queries on distributed tables must not be VOLATILE
with held as materialized (
  select * from unnest($1::uuid[], $2::text[],
    $3::uuid[]) as held (agency_id, channel, lane)
),
again as (
  update notification_deliveries d
  set state = 'pending', ended_at = null, detail = null, why = null, first_attempt_at = null
  where d.state = any ($4) and d.channel = any ($5)
and ($6::uuid is null or d.agency_id = $7::uuid) and (d.agency_id, d.channel, d.lane) in (select agency_id, channel, lane from held)
  returning d.agency_id, d.channel, d.lane
),
woken as (
  update notification_lanes l
  set version = l.version + 1, failures = 0,
    due_at = case when l.token is not null and l.due_at is not null then l.due_at
      else date_trunc('milliseconds', clock_timestamp() + $8::float8 * interval '1 ms') end
  where (l.agency_id, l.channel, l.lane) in (select agency_id, channel, lane from again)
)
select count(*)::int as count from again;

-- Rejected, lanes: STABLE functions used in UPDATE queries cannot be called with column references
with moment as materialized (
  select date_trunc('milliseconds', clock_timestamp() + $5::float8 * interval '1 ms') as at),
lane as (
  update notification_lanes l
  set token = null, failures = $6, rests_until = moment.at + $7::float8 * interval '1 ms',
    due_at = case when l.version = $8::bigint and not $9::boolean then null else moment.at + $10::float8 * interval '1 ms' end
  from moment
  where l.agency_id = $1 and l.channel = $2 and l.lane = $3 and l.token = $4
  returning l.agency_id
),
ended as (
  update notification_deliveries d
  set state = r.state, detail = $13::text, why = $19::jsonb,
    ended_at = case when r.state = 'pending' then null else moment.at end,
    attempts = d.attempts + $14::boolean::int,
    first_attempt_at = case when $14 then coalesce(d.first_attempt_at, $15::timestamptz) else d.first_attempt_at end
  from lane cross join moment cross join unnest($11::uuid[], $12::text[]) as r (event_id, state)
  where d.agency_id = $1 and d.event_id = r.event_id and d.channel = $2 and d.state = 'pending'
  returning d.agency_id, d.event_id, d.attempts
),
logged as (
  insert into notification_attempts (agency_id, event_id, channel, number, at, duration_ms, succeeded, status, detail, why)
  select agency_id, event_id, $2::text, attempts, $15::timestamptz, $16::int, $17::boolean, $18::smallint, $13::text, $19::jsonb from ended where $14::boolean
)
select count(*)::int as done from lane;

-- Rejected, contact: functions used in UPDATE queries on distributed tables must not be VOLATILE
update "agencies" set "phone" = $1, "whatsapp" = $2, "website" = $3, "updated_at" = clock_timestamp() + $4::float8 * interval '1 ms' where "id" = $5;

-- Rejected, remove-all: non-IMMUTABLE functions are not allowed in CASE or COALESCE statements
with present as materialized (
  select id, photos, status, (row_number() over (order by updated_at, id) - 1)::int as place
  from properties where agency_id = $1 and deleted_at is null
), dated as materialized (
  select id, photos, status, $2::bigint + place as revision, $3::timestamptz + place * interval '1 ms' as at,
    case status when 'published' then 'disabled' else status end as next_status
  from present
), removed as (
  update properties p set deleted_at = d.at, updated_at = d.at, version = d.revision, status = d.next_status, photos = '{}'
  from dated d where p.agency_id = $1 and p.id = d.id
), noted as (
  insert into listing_history (agency_id, property_id, revision, at, action, actor_kind, actor_id, actor_name, request_id, changes)
  select $1, id, revision, at, 'deleted', $4, $5::uuid, $6, $7,
    jsonb_build_object('deleted', jsonb_build_object('from', false, 'to', true)) || (
    case when photos = '{}' then '{}'
      else jsonb_build_object('photos', jsonb_build_object('from', to_jsonb(photos), 'to', '[]'::jsonb)) end
    || case when status = next_status then '{}'
      else jsonb_build_object('status', jsonb_build_object('from', status, 'to', next_status)) end)
  from dated
), before as materialized (
  select id, photos, version, status, case status when 'published' then 'disabled' else status end as next_status
  from properties where agency_id = $1 and deleted_at is not null and photos <> '{}'
), emptied as (
  update properties p set photos = '{}', status = b.next_status
  from before b where p.agency_id = $1 and p.id = b.id
), amended as (
  update listing_history h set changes = h.changes || (
    case when photos = '{}' then '{}'
      else jsonb_build_object('photos', jsonb_build_object('from', to_jsonb(photos), 'to', '[]'::jsonb)) end
    || case when status = next_status then '{}'
      else jsonb_build_object('status', jsonb_build_object('from', status, 'to', next_status)) end)
  from before where h.agency_id = $1 and h.property_id = before.id and h.revision = before.version
), unsourced as (
  delete from photo_sources where agency_id = $1
), freed as (
  insert into unreferenced_photos (agency_id, photo, delete_after)
  select distinct $1::uuid, photo, $3::timestamptz
  from (select photos from dated union all select photos from before) pictures cross join unnest(photos) as photo
  on conflict do nothing
)
select count(*)::int as removed from dated;

-- Rejected, seed: STABLE functions used in UPDATE queries cannot be called with column references
update properties set created_at = created_at - $1::int * interval '1 day',
  published_at = published_at - $2::int * interval '1 day'
where agency_id = $3 and id = $4;

-- Rejected, twins: functions used in UPDATE queries on distributed tables must not be VOLATILE
update "agencies" set "name" = $1, "slug" = $2, "email" = $3, "profile_version" = profile_version + (name <> $4 or slug <> $5)::int, "updated_at" = clock_timestamp() + $6::float8 * interval '1 ms' where "test_of" = $7;

-- Rejected, reaping: a column definition list is required for functions returning "record"
select count(*)::int as count from (
select from unreferenced_photos where delete_after = '-infinity' limit $1) condemned;

-- Rejected, notices: recursive complex joins are only supported when all distributed tables are co-located and joined on their distribution columns
with oldest as materialized (
  select distinct on (account_id) id from account_notices where due_at <= (clock_timestamp() + $1::float8 * interval '1 ms')
  order by account_id, created_at, id
), due as materialized (
  select n.id from account_notices n join oldest on oldest.id = n.id
  where n.due_at <= (clock_timestamp() + $2::float8 * interval '1 ms') order by n.due_at limit $3 for update of n skip locked
)
update account_notices n set due_at = ((clock_timestamp() + $4::float8 * interval '1 ms') + $5::float8 * interval '1 second')
from due, accounts a left join agencies g on g.id = a.agency_id
where n.id = due.id and a.id = n.account_id
returning n.id, n.kind, n.details, n.created_at, n.failures, g.name as agency_name,
  json_build_object('id', a.id, 'agency_id', a.agency_id, 'role', a.role, 'email', a.email, 'name', a.name, 'language', a.language, 'password_hash', a.password_hash, 'totp_confirmed_at', a.totp_confirmed_at, 'elsewhere', a.elsewhere, 'created_at', a.created_at, 'signed_in_at', a.signed_in_at, 'disabled_at', a.disabled_at) as account;

-- Rejected, reaping: correlated subqueries are not supported when the FROM clause contains a CTE or subquery
with moment as (select clock_timestamp() + $1::float8 * interval '1 ms' as now)
select overdue.table, coalesce(greatest(seconds, 0), 0)::float8 as seconds
from (
  select $2::text as table, (select extract(epoch from moment.now - "delete_after" - $3::interval)
    from "unreferenced_photos" where "delete_after" > '-infinity' and true order by "delete_after" limit 1) as seconds
  from moment union all
  select $4::text as table, (select extract(epoch from moment.now - "expires_at" - $5::interval)
    from "idempotency_keys" where "expires_at" > '-infinity' and true order by "expires_at" limit 1) as seconds
  from moment union all
  select $6::text as table, (select extract(epoch from moment.now - "expires_at" - $7::interval)
    from "used_signatures" where "expires_at" > '-infinity' and true order by "expires_at" limit 1) as seconds
  from moment union all
  select $8::text as table, (select extract(epoch from moment.now - "ends_at" - $9::interval)
    from "subject_usage" where "ends_at" > '-infinity' and true order by "ends_at" limit 1) as seconds
  from moment union all
  select $10::text as table, (select extract(epoch from moment.now - "kept_until" - $11::interval)
    from "geocoding_cache" where "kept_until" > '-infinity' and true order by "kept_until" limit 1) as seconds
  from moment union all
  select $12::text as table, (select extract(epoch from moment.now - "expires_at" - $13::interval)
    from "account_sessions" where "expires_at" > '-infinity' and true order by "expires_at" limit 1) as seconds
  from moment union all
  select $14::text as table, (select extract(epoch from moment.now - "expires_at" - $15::interval)
    from "account_links" where "expires_at" > '-infinity' and true order by "expires_at" limit 1) as seconds
  from moment union all
  select $16::text as table, (select extract(epoch from moment.now - "created_at" - $17::interval)
    from "account_notices" where "created_at" > '-infinity' and true order by "created_at" limit 1) as seconds
  from moment union all
  select $18::text as table, (select extract(epoch from moment.now - "expires_at" - $19::interval)
    from "audit_log" where "expires_at" > '-infinity' and true order by "expires_at" limit 1) as seconds
  from moment union all
  select $20::text as table, (select extract(epoch from moment.now - "ends_at" - $21::interval)
    from "subject_usage" where "ends_at" > '-infinity' and true order by "ends_at" limit 1) as seconds
  from moment union all
  select $22::text as table, (select extract(epoch from moment.now - "seen_at" - $23::interval)
    from "account_networks" where "seen_at" > '-infinity' and true order by "seen_at" limit 1) as seconds
  from moment union all
  select $24::text as table, (select extract(epoch from moment.now - "at" - $25::interval)
    from "request_log" where "at" > '-infinity' and true order by "at" limit 1) as seconds
  from moment union all
  select $26::text as table, (select extract(epoch from moment.now - "ended_at" - $27::interval)
    from "notification_deliveries" where "ended_at" > '-infinity' and state in ('delivered', 'skipped', 'not_configured') order by "ended_at" limit 1) as seconds
  from moment) overdue;

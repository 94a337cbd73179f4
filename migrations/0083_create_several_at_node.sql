-- Replaces the function that creates listings at a node of Citus: several of an agency together, by fewer statements for each, since a
-- statement costs twice as much there as on plain PostgreSQL. An older process creates each listing by a transaction until it is replaced.
drop function create_listings(json, json, float8, int, int);
-- Stores listings as the statement of properties/create-together.ts does; nothing of one that anything is in the way of. Citus plans a
-- statement over several tables anew at each execution, and those over single tables in here once a connection. A later migration that changes
-- what a creation writes replaces the function; test/properties/create-together.test.ts holds the two to each other.
create function create_listings(all_asked json, all_listings json, offset_ms float8, per_hour int, per_day int)
returns table (created uuid, raised bigint, moment timestamptz)
language plpgsql as $$
#variable_conflict use_column
declare
  present constant timestamptz := clock_timestamp() + offset_ms * interval '1 ms';
  this_hour constant timestamptz := date_bin('1 hour', present, 'epoch');
  this_day constant timestamptz := date_bin('1 day', present, 'epoch');
  kept_until constant timestamptz := present + interval '24 hours';
  step constant interval := '1 ms';
  asked record;
  -- The agency's row as it was, and as it is written: `room` of its revisions are not used yet. The last one used, and its moment, are
  -- `raised` and `moment`.
  before agency_revisions;
  after agency_revisions;
  room bigint := 0;
begin
  for asked in
    select *, count(*) over (partition by agency_id) as of_agency from rows from (
      json_to_recordset(all_asked) as (compared_street text, key text, hash bytea, token uuid, answer smallint, rest text, actor_id uuid,
        actor_name text, request_id text),
      json_populate_recordset(null::properties, all_listings)
    ) loop
    if asked.agency_id is distinct from before.agency_id then
      -- One that another write holds is left out, because the others must not wait for it.
      select * into before from agency_revisions where agency_id = asked.agency_id and limits is null for no key update skip locked;
      room := 0;
      if found then
        before.hour_new_listings := case when before.hour >= this_hour then before.hour_new_listings else 0 end;
        before.day_new_listings := case when before.day >= this_day then before.day_new_listings else 0 end;
        room := least(asked.of_agency, per_hour - before.hour_new_listings, per_day - before.day_new_listings);
      else
        before.agency_id := asked.agency_id;
      end if;
      if room > 0 then
        raised := before.revision;
        moment := greatest(date_trunc('milliseconds', present), before.changed_at + step) - step;
        after.revision := raised + room;
        after.changed_at := moment + room * step;
        after.hour := greatest(before.hour, this_hour);
        after.day := greatest(before.day, this_day);
        after.hour_new_listings := before.hour_new_listings + room;
        after.day_new_listings := before.day_new_listings + room;
        -- The first write: from now on Citus does not move the agency (writing/agency-lock.ts). If it did since the row was read, the row
        -- of the other node is the same, or another write came between.
        update agency_revisions set revision = after.revision, changed_at = after.changed_at, hour = after.hour,
          hour_new_listings = after.hour_new_listings, day = after.day, day_new_listings = after.day_new_listings
        where agency_id = asked.agency_id and revision = before.revision;
        if not found then room := 0; end if;
      end if;
    end if;
    continue when room <= 0;
    room := room - 1;
    <<storing>>
    begin
      perform from properties where agency_id = asked.agency_id and deleted_at is null and (external_id = asked.external_id
        or street_key = asked.compared_street and (city_key is null or asked.city_key is null or city_key = asked.city_key)) limit 1;
      exit storing when found;
      raised := raised + 1;
      moment := moment + step;
      insert into idempotency_keys (agency_id, key, request_hash, token, lease_until, expires_at, status, property_id, revision, rest)
      values (asked.agency_id, asked.key, asked.hash, asked.token, present, kept_until, asked.answer, asked.id, raised, asked.rest)
      on conflict (agency_id, key) do nothing;
      if found then
        insert into properties (
          agency_id, id, public_id, version, status, external_id, title, description, operation, type, price_amount,
          price_currency, price_period, price_on_request, expenses_amount, expenses_currency, address, city, province, lat,
          lng, location_status, features, amenities, video_url, video_urls, virtual_tour_url, rental, photos, reserved,
          close_reason, closed_at, close_amount, close_currency, published_at, created_at, updated_at, deleted_at, city_folded,
          search_folded, street_key, city_key, address_rules
        ) values (
          asked.agency_id, asked.id, asked.public_id, raised, asked.status, asked.external_id, asked.title,
          asked.description, asked.operation, asked.type, asked.price_amount, asked.price_currency,
          asked.price_period, asked.price_on_request, asked.expenses_amount, asked.expenses_currency, asked.address,
          asked.city, asked.province, asked.lat, asked.lng, asked.location_status, asked.features,
          asked.amenities, asked.video_url, asked.video_urls, asked.virtual_tour_url, asked.rental, asked.photos,
          asked.reserved, asked.close_reason, asked.closed_at, asked.close_amount, asked.close_currency,
          asked.published_at, moment, moment, asked.deleted_at, asked.city_folded, asked.search_folded,
          asked.street_key, asked.city_key, asked.address_rules
        );
        insert into listing_history (agency_id, property_id, revision, at, action, actor_kind, actor_id, actor_name, request_id)
        values (asked.agency_id, asked.id, raised, moment, 'created', 'key', asked.actor_id, asked.actor_name, asked.request_id);
        created := asked.id;
        return next;
        continue;
      end if;
      raised := raised - 1;
      moment := moment - step;
    end;
    -- It was not stored: its revision is given back.
    after.revision := raised + room;
    after.changed_at := case when after.revision = before.revision then before.changed_at else moment + room * step end;
    after.hour_new_listings := before.hour_new_listings + after.revision - before.revision;
    after.day_new_listings := before.day_new_listings + after.revision - before.revision;
    update agency_revisions set revision = after.revision, changed_at = after.changed_at,
      hour_new_listings = after.hour_new_listings, day_new_listings = after.day_new_listings where agency_id = asked.agency_id;
  end loop;
end $$;

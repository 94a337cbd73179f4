-- Creates listings, or returns why not (src/listings/writing/). Nothing else decides whether a creation conflicts with another listing,
-- and nothing else counts new listings.
--
-- `sent`: the new rows, as a JSON list in which the rows of an agency follow each other. Two of one agency share neither external_id nor
-- street_key. Their versions and timestamps are set here. The arrays have an element for each row:
--   `compares_address`: false if another listing may have the address.
--   `authors`: {kind, id, name, request_id} for the history.
--   `responses`: {key, hash, token, status, rest} to store for an Idempotency-Key that nobody has claimed. Null if there is none, or if the
--     transaction has claimed it.
-- `retention_hours`: how long a response is retained.
-- `per_hour`, `per_day`: the service's limits of new listings; an agency's own take precedence. Null to count nothing.
-- `stores`: false in a transaction that is rolled back, to write no rows for nothing.
--
-- Returns a row for each: the revision and moment at which it was stored, or the rejection: `busy` (another write holds the agency; try
-- again in a transaction that waits for it), `key_in_use`, `external_id_exists`, `duplicate_property` with the oldest listing at the
-- address, or `rate_limited` with the agency's counters.
--
-- Locks: the agencies' rows, until the transaction ends, without waiting for them. Each statement sees what was committed before the lock.
-- It decides row by row and stores all rows together, because each insert into `properties` has to open all of its indexes.
create or replace function create_listings(sent json, compares_address bool[], authors json[], responses json[], retention_hours int,
  clock_offset float8, per_hour int, per_day int, stores bool)
returns table (id uuid, rejection text, existing_id text, revision bigint, at timestamptz, now timestamptz, limits jsonb,
  hour timestamptz, hour_new_listings int, day timestamptz, day_new_listings int)
language plpgsql as $$
#variable_conflict use_variable
declare
  listings properties[] := array(select l from json_populate_recordset(null::properties, sent) l);
  listing properties;
  agency agency_revisions;
  is_free bool;
  max_per_hour int;
  max_per_day int;
  counted constant int := case when per_hour is null then 0 else 1 end;
  created int;
  key_is_used bool;
  id_is_taken bool;
  revisions bigint[];
  moments timestamptz[];
begin
  now := clock_timestamp() + clock_offset * interval '1 ms';
  for nth in 1 .. cardinality(listings) loop
    listing := listings[nth];
    if listing.agency_id is distinct from agency.agency_id then
      select * into agency from agency_revisions r where r.agency_id = listing.agency_id for no key update skip locked;
      is_free := found;
      agency.agency_id := listing.agency_id;
      created := 0;
      hour := date_bin('1 hour', now, 'epoch');
      day := date_bin('1 day', now, 'epoch');
      hour_new_listings := case when agency.hour >= hour then agency.hour_new_listings else 0 end;
      day_new_listings := case when agency.day >= day then agency.day_new_listings else 0 end;
      hour := greatest(agency.hour, hour);
      day := greatest(agency.day, day);
      limits := agency.limits;
      max_per_hour := limit_in_force(limits, 'new_listings_per_hour', per_hour, now);
      max_per_day := limit_in_force(limits, 'new_listings_per_day', per_day, now);
    end if;

    id := listing.id;
    select
      exists (select from idempotency_keys k where k.agency_id = listing.agency_id and k.key = responses[nth] ->> 'key'),
      exists (select from properties p
        where p.agency_id = listing.agency_id and p.external_id = listing.external_id and p.deleted_at is null)
    into key_is_used, id_is_taken;
    -- By itself: on a shard, Citus allows no function that reads another table.
    existing_id := null;
    if compares_address[nth] then
      existing_id := listing_at_address(listing.agency_id, listing.street_key, listing.city_key, '{}');
    end if;
    rejection := case
      when not is_free then 'busy'
      when key_is_used then 'key_in_use'
      when id_is_taken then 'external_id_exists'
      when existing_id is not null then 'duplicate_property'
      when counted = 1 and (hour_new_listings >= max_per_hour or day_new_listings >= max_per_day) then 'rate_limited'
    end;
    revision := null;
    if rejection is null then
      created := created + 1;
      hour_new_listings := hour_new_listings + counted;
      day_new_listings := day_new_listings + counted;
      revision := agency.revision + created;
      at := greatest(date_trunc('milliseconds', now), agency.changed_at + interval '1 ms') + (created - 1) * interval '1 ms';
      revisions[nth] := revision;
      moments[nth] := at;
    end if;
    return next;

    if stores and created > 0 and listing.agency_id is distinct from listings[nth + 1].agency_id then
      -- The first write: from here on, Citus leaves the agency on its node. If the agency moved after its row was read, another write may
      -- have come between.
      update agency_revisions r set revision = agency.revision + created, changed_at = at, hour = hour,
        hour_new_listings = hour_new_listings, day = day, day_new_listings = day_new_listings
      where r.agency_id = listing.agency_id and r.revision = agency.revision;
      if not found then
        raise serialization_failure using message = 'the agency has moved to another node';
      end if;
    end if;
  end loop;
  if not stores then
    return;
  end if;

  insert into idempotency_keys (agency_id, key, request_hash, token, lease_until, expires_at, status, property_id, revision, rest)
  select l.agency_id, response ->> 'key', (response ->> 'hash')::bytea, (response ->> 'token')::uuid, now,
    now + retention_hours * interval '1 hour', (response ->> 'status')::smallint, l.id, revisions[l.ordinality], response ->> 'rest'
  from unnest(listings) with ordinality l cross join lateral (select responses[l.ordinality] as response offset 0) r
  where revisions[l.ordinality] is not null and response is not null;

  insert into properties (agency_id, id, public_id, version, status, external_id, title, description, operation, type, price_amount,
    price_currency, price_period, price_on_request, expenses_amount, expenses_currency, address, city, province, lat, lng,
    location_status, features, amenities, video_url, video_urls, virtual_tour_url, rental, photos, reserved, published_at, created_at,
    updated_at, city_folded, search_folded, street_key, city_key, address_rules)
  select l.agency_id, l.id, l.public_id, revisions[l.ordinality], l.status, l.external_id, l.title, l.description, l.operation, l.type,
    l.price_amount, l.price_currency, l.price_period, l.price_on_request, l.expenses_amount, l.expenses_currency, l.address, l.city,
    l.province, l.lat, l.lng, l.location_status, l.features, l.amenities, l.video_url, l.video_urls, l.virtual_tour_url, l.rental,
    l.photos, l.reserved, case when l.status = 'published' then moments[l.ordinality] end, moments[l.ordinality],
    moments[l.ordinality], l.city_folded, l.search_folded, l.street_key, l.city_key, l.address_rules
  from unnest(listings) with ordinality l where revisions[l.ordinality] is not null;

  insert into listing_history (agency_id, property_id, revision, at, action, actor_kind, actor_id, actor_name, request_id)
  select l.agency_id, l.id, revisions[l.ordinality], moments[l.ordinality], 'created', author ->> 'kind', (author ->> 'id')::uuid,
    author ->> 'name', author ->> 'request_id'
  from unnest(listings) with ordinality l cross join lateral (select authors[l.ordinality] as author offset 0) a
  where revisions[l.ordinality] is not null;
end $$;

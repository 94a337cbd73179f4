-- Creates listings as the statement of properties/create-together.ts does, at the node of Citus that holds their agencies. Citus plans a statement
-- over several tables anew at each execution, and the statements over single tables in here once a connection. A later migration that changes
-- what a creation writes replaces it; test/properties/create-together.test.ts holds the two to each other.
create function create_listings(all_asked json, all_listings json, offset_ms float8, per_hour int, per_day int)
returns table (created_for uuid, raised bigint, moment timestamptz)
language plpgsql as $$
#variable_conflict use_column
declare
  present constant timestamptz := clock_timestamp() + offset_ms * interval '1 ms';
  this_hour constant timestamptz := date_bin('1 hour', present, 'epoch');
  this_day constant timestamptz := date_bin('1 day', present, 'epoch');
  kept_until constant timestamptz := present + interval '24 hours';
  asked record;
  listing properties;
  agency agency_revisions;
  place int := 0;
  listings constant properties[] := array(select r from json_populate_recordset(null::properties, all_listings) r);
begin
  for asked in select * from json_to_recordset(all_asked) as asked (agency_id uuid, property_id uuid, external_id text, street_key text,
      city_key text, key text, hash bytea, token uuid, status smallint, rest text, actor_id uuid, actor_name text, request_id text) loop
    place := place + 1;
    -- Writes nothing, and keeps Citus from moving the agency meanwhile (writing/agency-lock.ts).
    update agency_revisions set revision = revision where agency_id = asked.agency_id and revision < 0;
    -- One that another write holds is left out, because the others must not wait for it.
    select * into agency from agency_revisions where agency_id = asked.agency_id and limits is null for no key update skip locked;
    continue when not found;
    agency.hour_new_listings := 1 + case when agency.hour >= this_hour then agency.hour_new_listings else 0 end;
    agency.day_new_listings := 1 + case when agency.day >= this_day then agency.day_new_listings else 0 end;
    continue when agency.hour_new_listings > per_hour or agency.day_new_listings > per_day;
    if asked.external_id is not null then
      perform from properties where agency_id = asked.agency_id and external_id = asked.external_id and deleted_at is null limit 1;
      continue when found;
    end if;
    if asked.street_key is not null then
      perform from properties where agency_id = asked.agency_id and street_key = asked.street_key
        and (city_key is null or asked.city_key is null or city_key = asked.city_key) and deleted_at is null limit 1;
      continue when found;
    end if;
    created_for := asked.agency_id;
    raised := agency.revision + 1;
    moment := greatest(date_trunc('milliseconds', present), agency.changed_at + interval '1 ms');
    insert into idempotency_keys (agency_id, key, request_hash, token, lease_until, expires_at, status, property_id, revision, rest)
    values (asked.agency_id, asked.key, asked.hash, asked.token, present, kept_until, asked.status, asked.property_id, raised, asked.rest)
    on conflict (agency_id, key) do nothing;
    continue when not found;
    agency.hour := greatest(agency.hour, this_hour);
    agency.day := greatest(agency.day, this_day);
    update agency_revisions set revision = raised, changed_at = moment, hour = agency.hour, hour_new_listings = agency.hour_new_listings,
      day = agency.day, day_new_listings = agency.day_new_listings where agency_id = asked.agency_id;
    listing := listings[place];
    insert into properties (
      agency_id, id, public_id, version, status, external_id, title, description, operation, type, price_amount,
      price_currency, price_period, price_on_request, expenses_amount, expenses_currency, address, city, province, lat,
      lng, location_status, features, amenities, video_url, video_urls, virtual_tour_url, rental, photos, reserved,
      close_reason, closed_at, close_amount, close_currency, published_at, created_at, updated_at, deleted_at, city_folded,
      search_folded, street_key, city_key, address_rules
    ) values (
      asked.agency_id, listing.id, listing.public_id, raised, listing.status, listing.external_id, listing.title,
      listing.description, listing.operation, listing.type, listing.price_amount, listing.price_currency,
      listing.price_period, listing.price_on_request, listing.expenses_amount, listing.expenses_currency, listing.address,
      listing.city, listing.province, listing.lat, listing.lng, listing.location_status, listing.features,
      listing.amenities, listing.video_url, listing.video_urls, listing.virtual_tour_url, listing.rental, listing.photos,
      listing.reserved, listing.close_reason, listing.closed_at, listing.close_amount, listing.close_currency,
      listing.published_at, moment, moment, listing.deleted_at, listing.city_folded, listing.search_folded,
      listing.street_key, listing.city_key, listing.address_rules
    );
    insert into listing_history (agency_id, property_id, revision, at, action, actor_kind, actor_id, actor_name, request_id)
    values (asked.agency_id, asked.property_id, raised, moment, 'created', 'key', asked.actor_id, asked.actor_name, asked.request_id);
    return next;
  end loop;
end $$;

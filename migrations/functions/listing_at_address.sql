-- Returns the public id of the oldest listing at an address, or null: the rule for duplicates, for creations (create_listings.sql) and
-- edits (src/listings/). Removed listings do not count. A null city matches every city.
--
-- `street`: street and number in normal form. `excluded`: uuids of listings that do not count. Locks nothing: the caller holds the agency.
create or replace function listing_at_address(agency uuid, street text, town text, excluded uuid[]) returns text
language plpgsql stable as $$
begin
  return (select p.public_id from properties p
    where p.agency_id = agency and p.street_key = street and (p.city_key is null or town is null or p.city_key = town)
      and p.deleted_at is null and p.id <> all (excluded)
    order by p.created_at, p.public_id limit 1);
end $$;

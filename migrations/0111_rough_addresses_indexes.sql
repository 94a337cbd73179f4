-- Outside a transaction: these are built beside running servers. Each is dropped first, because one whose making was interrupted is there and is of no use.
-- Visitors search what they are shown. With the last two columns that is read in the index alone, as agencies' own searches are.

drop index concurrently if exists properties_searched_idx;
create index concurrently properties_searched_idx
  on properties (agency_id, status, listed_at desc, public_id)
  include (operation, type, price_currency, price_amount, bedrooms, bathrooms, main_m2, updated_at, city_folded, search_folded, id,
    place_blurred, rough_folded)
  where deleted_at is null;
drop index concurrently if exists properties_listed_idx;

-- What is to be read again also has rough addresses that are not made yet.
drop index concurrently if exists properties_address_rules_idx;
create index concurrently properties_address_rules_idx on properties (agency_id, id)
  where address_rules < 2 or place_blurred and rough_folded is null;

alter table properties add column price_kind text collate "C" not null generated always as (
  coalesce(operation, 'none') || ' ' || coalesce(price_currency, 'none')
) stored;

comment on column properties.price_kind is 'Operation and currency, such as `sale USD`: the listings whose prices can be compared. In the order of the price alone, the rents of a large agency would all stand before its cheapest sale.';

drop index properties_price_asc_idx;
drop index properties_price_desc_idx;

create index properties_price_asc_idx
  on properties (agency_id, status, price_kind, price_amount asc nulls last, public_id)
  include (type, bedrooms, bathrooms, main_m2, city_folded, id) where deleted_at is null;

create index properties_price_desc_idx
  on properties (agency_id, status, price_kind, price_amount desc nulls last, public_id)
  include (type, bedrooms, bathrooms, main_m2, city_folded, id) where deleted_at is null;

-- Pages of all states are merged from the indexes that have each state by itself.
drop index properties_all_recent_idx;

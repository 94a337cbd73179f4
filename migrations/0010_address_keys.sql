alter table properties
  add column street_key text collate "C",
  add column city_key text collate "C",
  add column address_rules smallint not null default 0;

create index properties_address_idx on properties (agency_id, street_key)
  include (city_key, public_id) where deleted_at is null and street_key is not null;

comment on column properties.street_key is 'Street and number in the form in which addresses are compared; null when the address has no number or cannot be read.';
comment on column properties.city_key is 'The city in the form in which addresses are compared; null when it is unknown.';
comment on column properties.address_rules is 'Version of the rules that made the two keys.';

-- Returns the limit `name` that applies to an agency at a timestamp: its own, unless that has expired, else the service's default, `usual`.
-- admit_keys.sql and create_listings.sql call it.
--
-- `own_limits`: the agency's limits, as {name: {max, until}}; null if it has none. Locks nothing.
create or replace function limit_in_force(own_limits jsonb, name text, usual int, at timestamptz) returns int
language sql immutable parallel safe as $$
  select case when own_limits ? name and coalesce((own_limits -> name ->> 'until')::timestamptz > at, true)
    then (own_limits -> name ->> 'max')::int else usual end
$$;

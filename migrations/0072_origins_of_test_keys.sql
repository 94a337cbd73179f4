-- A test key that writes may have origins of the developer's own machine, and no others.
alter table api_keys
  drop constraint api_keys_allowed_origins_check,
  add constraint api_keys_allowed_origins_check check (
    cardinality(allowed_origins) <= 5
    and (
      cardinality(allowed_origins) = 0
      or not scopes && array['properties:write', 'leads:write']
      or (
        prefix ~ '_test_[0-9A-Za-z]+$'
        and array_to_string(allowed_origins, ' ') ~ '^(http://(localhost|127[.]0[.]0[.]1)(:[0-9]{1,5})?( |$))+$'
      )
    )
  );

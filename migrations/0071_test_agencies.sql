-- An agency's twin: the agency that its test keys see.
alter table agencies
  add column test_of uuid,
  add constraint agencies_test_of_key unique (test_of),
  add constraint agencies_test_of_fkey foreign key (test_of) references agencies (id),
  drop constraint agencies_slug_check,
  add constraint agencies_slug_check check (
    slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= case when test_of is null then 63 else 68 end
  ),
  add constraint agencies_test_of_check check (test_of is null or slug like '%-test');

comment on column agencies.test_of is 'The agency whose test keys see this one, which exists for nothing else; null: a real agency.';

alter table agency_revisions add column is_test boolean not null default false;

comment on column agency_revisions.is_test is 'As agencies.test_of is not null, where every write reads it: what a test agency does is told to nobody.';

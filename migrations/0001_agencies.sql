-- The agencies, which are the tenants, with the row that orders the writes of each.

create table agencies (
  id uuid not null,
  name text not null,
  slug text not null,
  active boolean not null default true,
  test_of uuid,
  profile_version integer not null default 1,
  email text,
  phone text,
  whatsapp text,
  website text,
  address text,
  licence_number text,
  licence_college text,
  broker text,
  hours jsonb,
  about text,
  accent text,
  logo text,
  takes_enquiries boolean not null default true,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint agencies_pkey primary key (id),
  constraint agencies_slug_key unique (slug),
  constraint agencies_test_of_key unique (test_of),
  constraint agencies_test_of_fkey foreign key (test_of) references agencies (id),
  constraint agencies_name_check check (length(name) between 1 and 120),
  constraint agencies_slug_check check (
    slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= case when test_of is null then 63 else 68 end
  ),
  constraint agencies_test_of_check check (test_of is null or slug like '%-test'),
  constraint agencies_phone_check check (phone ~ '^\+[0-9][0-9 ()-]{6,28}[0-9]$'),
  constraint agencies_whatsapp_check check (whatsapp ~ '^\+[0-9][0-9 ()-]{6,28}[0-9]$'),
  constraint agencies_website_check check (website ~ '^https?://' and length(website) <= 300),
  constraint agencies_address_check check (length(address) between 1 and 200),
  constraint agencies_licence_number_check check (length(licence_number) between 1 and 40),
  constraint agencies_licence_college_check check (length(licence_college) between 1 and 80),
  constraint agencies_licence_check check ((licence_number is null) = (licence_college is null)),
  constraint agencies_broker_check check (length(broker) between 1 and 120),
  constraint agencies_hours_check check (jsonb_typeof(hours) = 'array' and jsonb_array_length(hours) = 7),
  constraint agencies_about_check check (length(about) between 1 and 2000),
  constraint agencies_accent_check check (accent ~ '^#[0-9a-f]{6}$')
);

comment on table agencies is 'The real-estate agencies, which are the tenants. Never deleted.';
comment on column agencies.slug is 'Names the agency in public URLs and on the command line.';
comment on column agencies.active is 'False: every key of the agency gets 403 agency_not_active.';
comment on column agencies.test_of is 'The agency whose test keys see this one, which exists for nothing else; null: a real agency.';
comment on column agencies.profile_version is 'Raised when name or slug change, because both are part of every listing and so of its ETag.';
comment on column agencies.email is 'Receives notifications of state changes, and is shown to visitors; null: none.';
comment on column agencies.phone is 'Shown on the public pages as written, with its country code.';
comment on column agencies.whatsapp is 'The number for WhatsApp, shown as written, with its country code.';
comment on column agencies.website is 'The URL of the agency''s own site, shown on its public page.';
comment on column agencies.address is 'The office''s address as written, shown on the public pages.';
comment on column agencies.licence_number is 'The broker''s licence (matrícula), which the law requires on every offer.';
comment on column agencies.licence_college is 'The college that issued the licence, such as CUCICBA.';
comment on column agencies.broker is 'Name of the licensed broker responsible for the agency.';
comment on column agencies.hours is 'Opening hours: for each day from Monday on, up to two pairs of HH:MM. Null: unknown.';
comment on column agencies.about is 'The agency''s description of itself, as plain text.';
comment on column agencies.accent is 'The colour that the agency chose; its pages show a legible shade of it.';
comment on column agencies.logo is 'Name of the picture, stored as photos of listings are. A test agency has its agency''s.';
comment on column agencies.takes_enquiries is 'Whether its public pages have an enquiry form.';

-- Every write updates this row. With room on its page, the next update prunes the old version; without, versions pile up on new pages. The
-- room also makes the planner use the primary key where agencies are few.
create table agency_revisions (
  agency_id uuid not null,
  revision bigint not null default 0,
  changed_at timestamptz(3) not null,
  is_test boolean not null default false,
  limits jsonb,
  hour timestamptz(0) not null default 'epoch',
  hour_new_listings integer not null default 0,
  day timestamptz(0) not null default 'epoch',
  day_new_listings integer not null default 0,
  constraint agency_revisions_pkey primary key (agency_id),
  constraint agency_revisions_agency_id_fkey foreign key (agency_id) references agencies (id),
  constraint agency_revisions_limits_check check (jsonb_typeof(limits) = 'object' and limits <> '{}')
) with (fillfactor = 10, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

comment on table agency_revisions is 'One narrow row per agency: the lock that each of its writes takes, the number that ETags of lists come from, and the counters of new listings.';
comment on column agency_revisions.revision is 'Raised by one for each write of a listing, in the same transaction.';
comment on column agency_revisions.changed_at is 'Moment of the last write. The next one is always later, so updated_at never goes back.';
comment on column agency_revisions.is_test is 'Whether agencies.test_of is set, repeated where every write reads it: changes in test agencies notify nobody.';
comment on column agency_revisions.limits is 'Limits of this agency and its keys that differ from the defaults: {name: {max, until}}, until null for no end; null: none. Here, because admission and every write read this row.';
comment on column agency_revisions.hour is 'Start of the UTC hour that hour_new_listings counts.';
comment on column agency_revisions.day is 'Start of the UTC day that day_new_listings counts.';

create table former_slugs (
  slug text collate "C" not null,
  agency_id uuid not null,
  given_up_at timestamptz(3) not null,
  constraint former_slugs_pkey primary key (slug)
);

comment on table former_slugs is 'Slugs that agencies gave up. Their URLs redirect until another agency has the slug, and for a year none can take it. Kept for ever: an agency adds few.';
comment on column former_slugs.agency_id is 'The last agency that had it.';

-- The former slugs of an agency.
create index former_slugs_agency_id_idx on former_slugs (agency_id, given_up_at);

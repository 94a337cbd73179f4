alter table agencies
  add column address text,
  add column licence_number text,
  add column licence_college text,
  add column broker text,
  add column hours jsonb,
  add column about text,
  add column accent text,
  add column logo text;

alter table agencies add constraint agencies_address_check check (length(address) between 1 and 200);
alter table agencies add constraint agencies_licence_number_check check (length(licence_number) between 1 and 40);
alter table agencies add constraint agencies_licence_college_check check (length(licence_college) between 1 and 80);
alter table agencies add constraint agencies_licence_check check ((licence_number is null) = (licence_college is null));
alter table agencies add constraint agencies_broker_check check (length(broker) between 1 and 120);
alter table agencies add constraint agencies_hours_check check (jsonb_typeof(hours) = 'array' and jsonb_array_length(hours) = 7);
alter table agencies add constraint agencies_about_check check (length(about) between 1 and 2000);
alter table agencies add constraint agencies_accent_check check (accent ~ '^#[0-9a-f]{6}$');

comment on column agencies.address is 'Of the office, as written; shown on the public pages, as all that follows.';
comment on column agencies.licence_number is 'Of the broker''s licence (matrícula), which the law wants on every offer.';
comment on column agencies.licence_college is 'The college that keeps the licence, such as CUCICBA.';
comment on column agencies.broker is 'The licensed broker who answers for the agency.';
comment on column agencies.hours is 'When the office is open: for each day from Monday on, up to two pairs of HH:MM. Null: not told.';
comment on column agencies.about is 'What the agency says of itself, as plain text.';
comment on column agencies.accent is 'The colour that the agency chose; its pages show a shade of it that can be read.';
comment on column agencies.logo is 'Name of the picture, stored as a listing''s photos are; of a test agency, its agency''s.';

create table former_slugs (
  slug text collate "C" not null,
  agency_id uuid not null,
  given_up_at timestamptz(3) not null,
  constraint former_slugs_pkey primary key (slug)
);

create index former_slugs_agency_id_idx on former_slugs (agency_id, given_up_at);

comment on table former_slugs is 'Slugs that agencies gave up: their old addresses lead to the new ones for as long as no other agency has the slug, and for a year none can take it. Kept for ever; an agency adds few.';
comment on column former_slugs.agency_id is 'The agency that had it last.';

alter table notification_preferences add column unwanted text[] not null default '{}';

comment on column notification_preferences.unwanted is 'Changes of state, by their event, that the agency wants no mail of.';

alter table accounts add column key_reminders boolean not null default true;

comment on column accounts.key_reminders is 'Whether an owner is reminded by mail that a key expires.';

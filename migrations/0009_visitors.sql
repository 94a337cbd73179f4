-- Visitors of the public pages: their enquiries, and how many there were.

create table enquiries (
  id uuid not null,
  agency_id uuid not null,
  created_at timestamptz(3) not null,
  due_at timestamptz(3) not null,
  failures integer not null default 0,
  sealed bytea,
  constraint enquiries_pkey primary key (id)
);

comment on table enquiries is 'Visitors'' enquiries to agencies, until the mail server has accepted them; for at most 3 days. The worker finds them before the agency is known.';
comment on column enquiries.id is 'The form''s id: the same form sent twice makes one enquiry.';
comment on column enquiries.due_at is 'When the mail is tried next, or when another worker may take it.';
comment on column enquiries.failures is 'Failed attempts to send it.';
comment on column enquiries.sealed is 'The enquiry and its sender, encrypted with SECRET_KEY; null: sent, or undeliverable.';

-- Enquiries that are due.
create index enquiries_due_at_idx on enquiries (due_at) where sealed is not null;
-- Deleting old ones.
create index enquiries_created_at_idx on enquiries (created_at);

create table listing_visits (
  agency_id uuid not null,
  public_id text collate "C" not null,
  day timestamptz(0) not null,
  views integer not null,
  phone integer not null,
  whatsapp integer not null,
  email integer not null,
  shared integer not null,
  enquiries integer not null,
  constraint listing_visits_pkey primary key (agency_id, public_id, day)
);

comment on table listing_visits is 'How many visitors each listing''s public page had, and how many got in touch, per day in Argentina. Kept for 400 days. Nothing about the visitors is stored.';
comment on column listing_visits.day is 'Start of the day in Argentina.';
comment on column listing_visits.views is 'A visitor counts once a day.';

-- Deleting old days.
create index listing_visits_day_idx on listing_visits (day);

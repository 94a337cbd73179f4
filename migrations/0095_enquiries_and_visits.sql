alter table agencies add column takes_enquiries boolean not null default true;
comment on column agencies.takes_enquiries is 'Whether its public pages have a form to ask it something.';

create table enquiries (
  id uuid not null,
  agency_id uuid not null,
  created_at timestamptz(3) not null,
  due_at timestamptz(3) not null,
  failures integer not null default 0,
  sealed bytea,
  constraint enquiries_pkey primary key (id)
);

create index enquiries_due_at_idx on enquiries (due_at) where sealed is not null;
create index enquiries_created_at_idx on enquiries (created_at);

comment on table enquiries is 'What visitors of public pages asked an agency, until its mail server has taken it; at most 3 days. Found by the worker before the agency is known.';
comment on column enquiries.id is 'Of the form that was sent, so that sending it again asks nothing twice.';
comment on column enquiries.due_at is 'When the next attempt to mail it is due.';
comment on column enquiries.sealed is 'What was asked and by whom, encrypted with SECRET_KEY; null once it was mailed, or never can be.';

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

create index listing_visits_day_idx on listing_visits (day);

comment on table listing_visits is 'How often each listing''s public page was visited, and how often visitors got in touch, by day of Argentina; kept for 400 days. Nothing of the visitors is stored.';
comment on column listing_visits.day is 'Start of the day in Argentina.';
comment on column listing_visits.views is 'A visitor counts once a day.';

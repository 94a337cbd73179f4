-- Notifications of state changes: the outbox, and its delivery by mail and to the marketplace.

create table notification_events (
  agency_id uuid not null,
  id uuid not null,
  property_id uuid not null,
  sequence integer not null,
  type text not null,
  revision bigint not null,
  at timestamptz(3) not null,
  listing jsonb not null,
  constraint notification_events_pkey primary key (agency_id, id),
  constraint notification_events_sequence_key unique (agency_id, property_id, sequence),
  constraint notification_events_property_fkey foreign key (agency_id, property_id) references properties (agency_id, id),
  constraint notification_events_type_check check (type in ('published', 'disabled', 'reserved', 'released', 'deleted', 'restored'))
);

comment on table notification_events is 'The outbox: every state change of a listing, written by the transaction that makes it. Deleted long after all its deliveries are settled; a listing''s latest event stays without its content, so that the next one continues the numbering.';
comment on column notification_events.id is 'Sent to receivers, which drop repeats by it.';
comment on column notification_events.sequence is 'Numbers the events of one listing from 1, without gaps.';
comment on column notification_events.revision is 'The agency''s revision that the change made: its entry in listing_history says who did it.';
comment on column notification_events.listing is 'The row of properties after the change; empty where only the number is kept.';

create table notification_deliveries (
  agency_id uuid not null,
  event_id uuid not null,
  channel text collate "C" not null,
  lane uuid not null,
  revision bigint not null,
  state text collate "C" not null default 'pending',
  attempts integer not null default 0,
  first_attempt_at timestamptz(3),
  ended_at timestamptz(3),
  detail text,
  why jsonb,
  constraint notification_deliveries_pkey primary key (agency_id, event_id, channel),
  constraint notification_deliveries_event_fkey foreign key (agency_id, event_id)
    references notification_events (agency_id, id) on delete cascade,
  constraint notification_deliveries_channel_check check (channel in ('mail', 'marketplace')),
  constraint notification_deliveries_state_check check (state in ('pending', 'delivered', 'skipped', 'not_configured', 'set_aside')),
  constraint notification_deliveries_ended_check check ((state = 'pending') = (ended_at is null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

comment on table notification_deliveries is 'The state of each event on each channel. Settled ones are kept for NOTIFICATIONS_KEPT_DAYS.';
comment on column notification_deliveries.lane is 'Groups deliveries that leave in order: by listing for the marketplace, by agency for mail.';
comment on column notification_deliveries.revision is 'The event''s revision: the order within the lane.';
comment on column notification_deliveries.state is '`pending`, `delivered`, `skipped` (the agency has no email or wants no mail), `not_configured` or `set_aside` (given up until the operator retries).';
comment on column notification_deliveries.attempts is 'How many attempts had a known outcome.';
comment on column notification_deliveries.first_attempt_at is 'The first attempt since the event, or since the operator''s retry. Three days later the delivery is set aside.';
comment on column notification_deliveries.detail is 'Why it was skipped, or the last error.';
comment on column notification_deliveries.why is 'The same as data: kind and figures, to be shown in another language.';

-- The next delivery of a lane.
create index notification_deliveries_lane_idx on notification_deliveries (agency_id, channel, lane, revision)
  where state = 'pending';
-- The operator's lists and retries, over all agencies.
create index notification_deliveries_open_idx on notification_deliveries (state, channel, event_id)
  where state in ('pending', 'set_aside');
-- The operator's view of an event, whose agency is not known.
create index notification_deliveries_event_idx on notification_deliveries (event_id);
-- Deleting settled deliveries.
create index notification_deliveries_settled_idx on notification_deliveries (ended_at)
  where state in ('delivered', 'skipped', 'not_configured');
-- The dashboard: mails that an agency did not get.
create index notification_deliveries_unmailed_idx on notification_deliveries (agency_id, ended_at desc)
  where state = 'set_aside' and channel = 'mail';

-- Each delivery leaves dead rows, which every look for due lanes passes, so they are vacuumed after a fixed number.
create table notification_lanes (
  agency_id uuid not null,
  channel text collate "C" not null,
  lane uuid not null,
  version bigint not null default 1,
  due_at timestamptz(3),
  token uuid,
  failures integer not null default 0,
  rests_until timestamptz(3),
  constraint notification_lanes_pkey primary key (agency_id, channel, lane)
) with (fillfactor = 50, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

comment on table notification_lanes is 'One row for each listing (marketplace) and agency (mail) that ever had an event: when its next delivery is due, and which worker has it.';
comment on column notification_lanes.version is 'Raised with each delivery that is added, so that a worker which found nothing more notices it.';
comment on column notification_lanes.due_at is 'When a worker may take the lane; while one has it, the end of its lease. Null: nothing is pending.';
comment on column notification_lanes.token is 'Held by the worker that took the lane. One that lost its lease can no longer store its outcome.';
comment on column notification_lanes.failures is 'Failed attempts in a row, from which the wait for the next one grows.';
comment on column notification_lanes.rests_until is 'No mail before this moment: events meanwhile share the next mail.';

-- Lanes that are due.
create index notification_lanes_due_idx on notification_lanes (channel, due_at) where due_at is not null;

create table notification_attempts (
  agency_id uuid not null,
  event_id uuid not null,
  channel text collate "C" not null,
  number integer not null,
  at timestamptz(3) not null,
  duration_ms integer not null,
  succeeded boolean not null,
  status smallint,
  detail text,
  why jsonb,
  constraint notification_attempts_pkey primary key (agency_id, event_id, channel, number),
  constraint notification_attempts_delivery_fkey foreign key (agency_id, event_id, channel)
    references notification_deliveries (agency_id, event_id, channel) on delete cascade
);

comment on table notification_attempts is 'Each attempt to deliver, for the operator. Kept as long as its delivery.';
comment on column notification_attempts.status is 'The marketplace''s HTTP status, if it responded.';
comment on column notification_attempts.why is 'The same as detail, as data.';

create table notification_preferences (
  agency_id uuid not null,
  mail boolean not null,
  language text not null,
  unwanted text[] not null default '{}',
  constraint notification_preferences_pkey primary key (agency_id),
  constraint notification_preferences_agency_fkey foreign key (agency_id) references agencies (id),
  constraint notification_preferences_language_check check (language in ('es-AR', 'en'))
);

comment on table notification_preferences is 'How an agency wants to be notified. Without a row: by mail, in Spanish.';
comment on column notification_preferences.unwanted is 'Types of events of which the agency wants no mail.';

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

comment on table notification_events is 'The outbox: every change of a listing''s state, written in the transaction of the change itself and never removed.';
comment on column notification_events.id is 'Told to receivers, who drop repeats by it.';
comment on column notification_events.sequence is 'Numbers the events of one listing from 1, without gaps.';
comment on column notification_events.revision is 'The agency''s revision that the change made: the entry of listing_history that tells who did it and what changed.';
comment on column notification_events.listing is 'The row of properties as the change left it.';

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
  constraint notification_deliveries_pkey primary key (agency_id, event_id, channel),
  constraint notification_deliveries_event_fkey foreign key (agency_id, event_id)
    references notification_events (agency_id, id) on delete cascade,
  constraint notification_deliveries_channel_check check (channel in ('mail', 'marketplace')),
  constraint notification_deliveries_state_check check (state in ('pending', 'delivered', 'skipped', 'not_configured', 'set_aside')),
  constraint notification_deliveries_ended_check check ((state = 'pending') = (ended_at is null))
) with (fillfactor = 70);

create index notification_deliveries_lane_idx on notification_deliveries (agency_id, channel, lane, revision)
  where state = 'pending';
create index notification_deliveries_open_idx on notification_deliveries (state, channel, event_id)
  where state in ('pending', 'set_aside');
create index notification_deliveries_event_idx on notification_deliveries (event_id);

comment on table notification_deliveries is 'What became of each event on each channel: by mail to the agency, and to the marketplace.';
comment on column notification_deliveries.lane is 'What is delivered in order: the listing for the marketplace, the agency for mail.';
comment on column notification_deliveries.revision is 'Of the event: the order within the lane.';
comment on column notification_deliveries.state is 'pending, delivered, skipped (the agency has no address or wants no mail), not_configured, set_aside (given up until the operator retries).';
comment on column notification_deliveries.attempts is 'How often it was tried and the outcome was learned.';
comment on column notification_deliveries.first_attempt_at is 'Of the attempts since it was written or retried by the operator: three days later it is set aside.';
comment on column notification_deliveries.detail is 'Why it was skipped, or what went wrong last.';

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
) with (fillfactor = 50);

create index notification_lanes_due_idx on notification_lanes (channel, due_at) where due_at is not null;

comment on table notification_lanes is 'One row for each listing (marketplace) and agency (mail) that has ever had an event: whether anything is pending there, when it is its turn, and who delivers.';
comment on column notification_lanes.version is 'Raised by whoever adds a delivery: a worker that found nothing more sees that there is.';
comment on column notification_lanes.due_at is 'When a worker may take the lane; null: nothing is pending. Taken, it is the end of the lease.';
comment on column notification_lanes.token is 'Of the worker that took it; one that lost its lease to another cannot store its outcome.';
comment on column notification_lanes.failures is 'Failed attempts in a row, from which the wait for the next one grows.';
comment on column notification_lanes.rests_until is 'The agency was just written to: what comes meanwhile goes into the next mail.';

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
  constraint notification_attempts_pkey primary key (agency_id, event_id, channel, number),
  constraint notification_attempts_delivery_fkey foreign key (agency_id, event_id, channel)
    references notification_deliveries (agency_id, event_id, channel) on delete cascade
);

comment on table notification_attempts is 'Each attempt to deliver, for the operator.';
comment on column notification_attempts.status is 'What the marketplace answered with, if it did.';

create table notification_preferences (
  agency_id uuid not null,
  mail boolean not null,
  language text not null,
  constraint notification_preferences_pkey primary key (agency_id),
  constraint notification_preferences_agency_fkey foreign key (agency_id) references agencies (id),
  constraint notification_preferences_language_check check (language in ('es-AR', 'en'))
);

comment on table notification_preferences is 'How an agency wants to be told of changes of state. Without a row: by mail, in Spanish.';

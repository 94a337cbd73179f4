-- Limits that the operator changed for one agency. Beside the revision, because both admission and the lock of every write read this row.
alter table agency_revisions
  add column limits jsonb,
  add constraint agency_revisions_limits_check check (jsonb_typeof(limits) = 'object' and limits <> '{}');

comment on column agency_revisions.limits is 'Limits of this agency and its keys that differ from the defaults: {name: {max, until}}, until null without an end; null: none.';

alter table key_usage add column limits integer[];

comment on column key_usage.limits is 'The limits in force when the key was last charged, if its agency has limits of its own: reads and writes, each per minute and day. Read by the statement that set it.';

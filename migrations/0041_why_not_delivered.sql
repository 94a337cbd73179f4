alter table notification_deliveries add column why jsonb;
alter table notification_attempts add column why jsonb;

comment on column notification_deliveries.why is 'The same as detail, by kind and with its figures, for who reads another language. Null with details of before.';
comment on column notification_attempts.why is 'The same as detail, by kind.';

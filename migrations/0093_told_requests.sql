-- Outside a transaction: these indexes are built beside running servers. Each is dropped first, because one whose making was interrupted is there and is of no use.
-- Request ids are uuids of version 7, so their order is that of time: pages of the log follow it, of all keys by the primary key.

alter table request_log add column if not exists detail jsonb;
comment on column request_log.detail is 'What the answer told besides status and code: message, parameters, warnings, items of a batch. Null where that was nothing. Never what was sent.';

drop index concurrently if exists request_log_of_key_idx;
create index concurrently request_log_of_key_idx on request_log (agency_id, key_id, request_id);
drop index concurrently if exists request_log_key_idx;

drop index concurrently if exists request_log_errors_idx;
create index concurrently request_log_errors_idx on request_log (agency_id, request_id) where code is not null;

-- Sign-ins are entries too, and have an end. What people do to agencies, keys and accounts is kept for ever: it is made by hand, so
-- it grows slowly, and nothing else tells who did it.
alter table audit_log add column expires_at timestamptz(3);
comment on column audit_log.expires_at is 'When the entry of a sign-in is deleted; null: never.';
comment on table audit_log is 'What people did that is no change of a listing: everything operators do, what touches keys and accounts, and sign-ins. Only appended to.';

-- Acts and sign-ins are looked at apart, so that neither buries the other, of all or of one agency.
create index audit_log_acts_idx on audit_log (at desc, id desc) where expires_at is null;
create index audit_log_sign_ins_idx on audit_log (at desc, id desc) where expires_at is not null;
create index audit_log_agency_acts_idx on audit_log (agency_id, at desc, id desc) where expires_at is null;
create index audit_log_agency_sign_ins_idx on audit_log (agency_id, at desc, id desc) where expires_at is not null;
create index audit_log_expires_at_idx on audit_log (expires_at) where expires_at is not null;
drop index audit_log_at_idx;
drop index audit_log_agency_id_idx;

-- Reminders of keys wait with the notices until the mail server accepts them.

alter table account_notices drop constraint account_notices_kind_check;
alter table account_notices add constraint account_notices_kind_check
  check (kind in ('password_changed', 'factor_on', 'factor_off', 'recovery_codes', 'writing_key', 'key_ends', 'agency_email'));

comment on table key_reminders is 'Which reminders of a key that expires its owners were given. Kept for ever: two rows per key at most.';

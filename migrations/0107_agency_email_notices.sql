alter table account_notices
  add column recipient text,
  drop constraint account_notices_kind_check,
  add constraint account_notices_kind_check
    check (kind in ('password_changed', 'factor_on', 'factor_off', 'recovery_codes', 'writing_key', 'agency_email'));

comment on column account_notices.recipient is 'Where it goes instead of to the account: the email that an agency had before.';

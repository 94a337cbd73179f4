create table account_browsers (
  account_id uuid not null,
  browser_hash bytea not null,
  seen_at timestamptz(3) not null,
  constraint account_browsers_pkey primary key (account_id, browser_hash),
  constraint account_browsers_account_id_fkey foreign key (account_id) references accounts (id) on delete cascade
);

comment on table account_browsers is 'Browsers that an account signed in from during the last 400 days. A sign-in from any other is reported by mail.';
comment on column account_browsers.browser_hash is 'SHA-256 of the account''s id and the cookie''s 256 random bits, so that accounts that share a browser cannot be linked.';

-- Deleting those not seen recently.
create index account_browsers_seen_at_idx on account_browsers (seen_at);

alter table account_notices drop constraint account_notices_kind_check;
alter table account_notices add constraint account_notices_kind_check
  check (kind in ('password_changed', 'factor_on', 'factor_off', 'recovery_codes', 'new_browser', 'writing_key', 'key_ends',
    'agency_email'));

-- A secret that is not confirmed yet is of the session that asked for it, and is gone with it.
alter table account_sessions add column pending_totp_secret bytea;
comment on column account_sessions.pending_totp_secret is 'Secret of a second factor that is being turned on, encrypted with SECRET_KEY; the account gets it with its first code.';

update accounts set totp_secret = null where totp_confirmed_at is null and totp_secret is not null;
comment on column accounts.totp_secret is 'Secret of the second factor, encrypted with SECRET_KEY; null while it is off.';

create table account_notices (
  id uuid not null,
  account_id uuid not null,
  kind text not null,
  details jsonb not null default '{}',
  created_at timestamptz(3) not null,
  due_at timestamptz(3) not null,
  failures integer not null default 0,
  constraint account_notices_pkey primary key (id),
  constraint account_notices_account_id_fkey foreign key (account_id) references accounts (id) on delete cascade,
  constraint account_notices_kind_check
    check (kind in ('password_changed', 'factor_on', 'factor_off', 'recovery_codes', 'writing_key'))
);

create index account_notices_account_id_idx on account_notices (account_id, created_at);
create index account_notices_created_at_idx on account_notices (created_at);
create index account_notices_due_at_idx on account_notices (due_at);

comment on table account_notices is 'Mails that tell people what was done to their account or with their agency''s keys, until the mail server has taken them.';
comment on column account_notices.due_at is 'When the mail is tried next, or may be by another worker.';
comment on column account_notices.failures is 'Attempts that failed.';

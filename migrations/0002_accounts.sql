-- The people who use the dashboard: how they sign in, the mails about their accounts, and the audit log of their actions.

create table accounts (
  id uuid not null,
  agency_id uuid,
  role text not null,
  email text collate "C" not null,
  elsewhere boolean not null default false,
  name text not null,
  language text,
  key_reminders boolean not null default true,
  password_hash text,
  totp_secret bytea,
  totp_confirmed_at timestamptz(3),
  totp_last_step bigint,
  created_at timestamptz(3) not null,
  signed_in_at timestamptz(3),
  disabled_at timestamptz(3),
  constraint accounts_pkey primary key (id),
  constraint accounts_agency_id_fkey foreign key (agency_id) references agencies (id),
  constraint accounts_role_check check (role in ('owner', 'member', 'operator')),
  constraint accounts_agency_check check ((role = 'operator') = (agency_id is null)),
  constraint accounts_language_check check (language in ('es', 'en')),
  constraint accounts_totp_check check (totp_confirmed_at is null or totp_secret is not null)
);

comment on table accounts is 'The people of the dashboard: members of one agency each, or operators. Found by email before the agency is known.';
comment on column accounts.email is 'In lower case.';
comment on column accounts.elsewhere is 'Invited by an email that has its account in another agency. The agency sees an ordinary invitation, and nobody can sign in with this row.';
comment on column accounts.language is 'Language of pages and mails; null: the browser decides.';
comment on column accounts.key_reminders is 'Whether an owner is reminded by mail that a key expires.';
comment on column accounts.password_hash is 'argon2id, in the usual notation; null until the invitation is accepted.';
comment on column accounts.totp_secret is 'Secret of the second factor, encrypted with SECRET_KEY; null while it is off.';
comment on column accounts.totp_last_step is 'Time step of the last accepted code. None is accepted twice.';

-- Signing in, and the pages that find an account by its email.
create unique index accounts_email_key on accounts (email) where not elsewhere;
-- Inviting the same email twice.
create unique index accounts_elsewhere_key on accounts (agency_id, email) where elsewhere;
-- The people of an agency.
create index accounts_agency_id_idx on accounts (agency_id, created_at);

create table account_sessions (
  id uuid not null,
  account_id uuid not null,
  token_hash bytea not null,
  stage text not null,
  pending_totp_secret bytea,
  user_agent text not null,
  address text not null,
  created_at timestamptz(3) not null,
  seen_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  constraint account_sessions_pkey primary key (id),
  constraint account_sessions_token_hash_key unique (token_hash),
  constraint account_sessions_account_id_fkey foreign key (account_id) references accounts (id) on delete cascade,
  constraint account_sessions_stage_check check (stage in ('password', 'full'))
);

comment on table account_sessions is 'Sessions of people who are signed in. Deleted when they end.';
comment on column account_sessions.token_hash is 'SHA-256 of the cookie''s 256 random bits. The token itself is never stored.';
comment on column account_sessions.stage is '`password`: the second factor is still to come, and nothing else is open.';
comment on column account_sessions.pending_totp_secret is 'Secret of a second factor that is being turned on, encrypted with SECRET_KEY. The account gets it with its first code.';
comment on column account_sessions.address is 'The IP that signed in.';

-- The sessions of an account.
create index account_sessions_account_id_idx on account_sessions (account_id);
-- Deleting expired sessions.
create index account_sessions_expires_at_idx on account_sessions (expires_at);

create table account_links (
  token_hash bytea not null,
  account_id uuid not null,
  purpose text not null,
  agency_id uuid,
  email text collate "C",
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  sealed_token bytea,
  mail_due_at timestamptz(3),
  mail_failures integer not null default 0,
  constraint account_links_pkey primary key (token_hash),
  constraint account_links_agency_id_key unique (agency_id),
  constraint account_links_account_id_fkey foreign key (account_id) references accounts (id) on delete cascade,
  constraint account_links_purpose_check check (purpose in ('invitation', 'reset', 'agency_email')),
  constraint account_links_email_check
    check ((purpose = 'agency_email') = (agency_id is not null) and (agency_id is null) = (email is null)),
  constraint account_links_mail_check check ((sealed_token is null) = (mail_due_at is null))
);

comment on table account_links is 'Links that are sent by mail and work once: invitations, password resets, confirmations of an agency''s new email. Only a hash of each is stored.';
comment on column account_links.account_id is 'The account whose password the link sets; for an agency''s email, the person who entered it.';
comment on column account_links.agency_id is 'The agency whose new email the link confirms, one at a time; null for other purposes.';
comment on column account_links.email is 'The email to confirm, which is where the link is sent.';
comment on column account_links.sealed_token is 'The link''s token, encrypted with SECRET_KEY, until the mail server has accepted the mail.';
comment on column account_links.mail_due_at is 'When the mail is tried next, or when another worker may take it; null: no mail, accepted, or given up.';
comment on column account_links.mail_failures is 'Failed attempts to send it.';

-- Ending the older links of an account.
create index account_links_account_id_idx on account_links (account_id);
-- Deleting expired links.
create index account_links_expires_at_idx on account_links (expires_at);
-- Mails that are due.
create index account_links_mail_due_at_idx on account_links (mail_due_at) where mail_due_at is not null;

create table account_recovery_codes (
  account_id uuid not null,
  code_hash bytea not null,
  used_at timestamptz(3),
  constraint account_recovery_codes_pkey primary key (account_id, code_hash),
  constraint account_recovery_codes_account_id_fkey foreign key (account_id) references accounts (id) on delete cascade
);

comment on table account_recovery_codes is 'Codes that replace a lost second factor. Each works once.';
comment on column account_recovery_codes.code_hash is 'SHA-256 of the account''s id and the code, which has 50 random bits and limited attempts.';

create table account_networks (
  account_id uuid not null,
  network text collate "C" not null,
  seen_at timestamptz(3) not null,
  constraint account_networks_pkey primary key (account_id, network),
  constraint account_networks_account_id_fkey foreign key (account_id) references accounts (id) on delete cascade
);

comment on table account_networks is 'Networks from which an account signed in during the last 90 days. Attempts by strangers elsewhere do not lock it out there.';
comment on column account_networks.network is 'An IPv4 address, or the /64 of an IPv6 one.';

-- Deleting those not seen lately.
create index account_networks_seen_at_idx on account_networks (seen_at);

create table account_notices (
  id uuid not null,
  account_id uuid not null,
  kind text not null,
  details jsonb not null default '{}',
  recipient text,
  created_at timestamptz(3) not null,
  due_at timestamptz(3) not null,
  failures integer not null default 0,
  constraint account_notices_pkey primary key (id),
  constraint account_notices_account_id_fkey foreign key (account_id) references accounts (id) on delete cascade,
  constraint account_notices_kind_check
    check (kind in ('password_changed', 'factor_on', 'factor_off', 'recovery_codes', 'writing_key', 'agency_email'))
);

comment on table account_notices is 'Mails about changes of people''s accounts and their agencies'' keys, until the mail server has accepted them.';
comment on column account_notices.recipient is 'The email that the agency had before, if the notice goes there instead of to the account.';
comment on column account_notices.due_at is 'When the mail is tried next, or when another worker may take it.';
comment on column account_notices.failures is 'Failed attempts to send it.';

-- Counting the notices that an account has waiting.
create index account_notices_account_id_idx on account_notices (account_id, created_at);
-- Deleting those that nobody accepts.
create index account_notices_created_at_idx on account_notices (created_at);
-- Notices that are due.
create index account_notices_due_at_idx on account_notices (due_at);

create table audit_log (
  id uuid not null,
  at timestamptz not null,
  actor_kind text not null,
  actor_id uuid,
  actor_name text not null,
  agency_id uuid,
  action text not null,
  subject text not null,
  details jsonb not null default '{}',
  request_id text,
  expires_at timestamptz(3),
  constraint audit_log_pkey primary key (id),
  constraint audit_log_actor_kind_check check (actor_kind in ('person', 'operator', 'system')),
  constraint audit_log_agency_id_fkey foreign key (agency_id) references agencies (id)
);

comment on table audit_log is 'Actions of people other than changes of listings: everything that operators do, changes of keys and accounts, and sign-ins. Append-only. Actions are kept for ever: they are made by hand, so they grow slowly, and nothing else says who did them.';
comment on column audit_log.at is 'In microseconds, which order two entries of one millisecond.';
comment on column audit_log.subject is 'The readable name of what was acted on: an email, a slug, the beginning of a key. Never a secret.';
comment on column audit_log.expires_at is 'When the entry of a sign-in is deleted; null: never.';

-- Pages of actions and of sign-ins, which are shown apart so that neither buries the other: all of them, and those of one agency.
create index audit_log_acts_idx on audit_log (at desc, id desc) where expires_at is null;
create index audit_log_sign_ins_idx on audit_log (at desc, id desc) where expires_at is not null;
create index audit_log_agency_acts_idx on audit_log (agency_id, at desc, id desc) where expires_at is null;
create index audit_log_agency_sign_ins_idx on audit_log (agency_id, at desc, id desc) where expires_at is not null;
-- Deleting old sign-ins.
create index audit_log_expires_at_idx on audit_log (expires_at) where expires_at is not null;

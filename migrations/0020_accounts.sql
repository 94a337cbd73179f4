create table accounts (
  id uuid not null,
  agency_id uuid,
  role text not null,
  email text collate "C" not null,
  name text not null,
  language text,
  password_hash text,
  totp_secret bytea,
  totp_confirmed_at timestamptz(3),
  totp_last_step bigint,
  created_at timestamptz(3) not null,
  signed_in_at timestamptz(3),
  disabled_at timestamptz(3),
  constraint accounts_pkey primary key (id),
  constraint accounts_email_key unique (email),
  constraint accounts_agency_id_fkey foreign key (agency_id) references agencies (id),
  constraint accounts_role_check check (role in ('owner', 'member', 'operator')),
  constraint accounts_agency_check check ((role = 'operator') = (agency_id is null)),
  constraint accounts_language_check check (language in ('es', 'en')),
  constraint accounts_totp_check check (totp_confirmed_at is null or totp_secret is not null)
);

create index accounts_agency_id_idx on accounts (agency_id, created_at);

comment on table accounts is 'The people of the dashboard: of one agency each, or operators. Found by e-mail before the agency is known.';
comment on column accounts.email is 'In lower case.';
comment on column accounts.language is 'Of the pages and mails; null: as the browser says.';
comment on column accounts.password_hash is 'argon2id, in the usual notation; null until the invitation is accepted.';
comment on column accounts.totp_secret is 'Secret of the second factor, encrypted with SECRET_KEY; it counts once it is confirmed.';
comment on column accounts.totp_last_step is 'Time step of the last code that was taken: none is taken twice.';

create table account_sessions (
  id uuid not null,
  account_id uuid not null,
  token_hash bytea not null,
  stage text not null,
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

create index account_sessions_account_id_idx on account_sessions (account_id);
create index account_sessions_expires_at_idx on account_sessions (expires_at);

comment on table account_sessions is 'Who is signed in. Ended sessions are deleted.';
comment on column account_sessions.token_hash is 'SHA-256 of the cookie''s 256 random bits; the token itself is never stored.';
comment on column account_sessions.stage is 'password: the second factor is still to come, and nothing else is open.';

create table account_links (
  token_hash bytea not null,
  account_id uuid not null,
  purpose text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  constraint account_links_pkey primary key (token_hash),
  constraint account_links_account_id_fkey foreign key (account_id) references accounts (id) on delete cascade,
  constraint account_links_purpose_check check (purpose in ('invitation', 'reset'))
);

create index account_links_account_id_idx on account_links (account_id);
create index account_links_expires_at_idx on account_links (expires_at);

comment on table account_links is 'Invitations and password resets: each good once, and only its hash is stored.';

create table account_recovery_codes (
  account_id uuid not null,
  code_hash bytea not null,
  used_at timestamptz(3),
  constraint account_recovery_codes_pkey primary key (account_id, code_hash),
  constraint account_recovery_codes_account_id_fkey foreign key (account_id) references accounts (id) on delete cascade
);

comment on table account_recovery_codes is 'For who lost the second factor; each good once.';
comment on column account_recovery_codes.code_hash is 'SHA-256 of the account''s id and the code, which has 50 random bits and whose tries are limited.';

create table sign_in_attempts (
  subject text collate "C" not null,
  window_start timestamptz(3) not null,
  used integer not null,
  constraint sign_in_attempts_pkey primary key (subject)
);

create index sign_in_attempts_window_start_idx on sign_in_attempts (window_start);

comment on table sign_in_attempts is 'Tries of passwords, second factors and resets: by account and by network address. Belongs to no agency.';
comment on column sign_in_attempts.subject is 'What is limited, and a hash of the e-mail or the network address.';
comment on column sign_in_attempts.window_start is 'The first try of the current window.';

create table audit_log (
  id uuid not null,
  at timestamptz(3) not null,
  actor_kind text not null,
  actor_id uuid,
  actor_name text not null,
  agency_id uuid,
  action text not null,
  subject text not null,
  details jsonb not null default '{}',
  request_id text,
  constraint audit_log_pkey primary key (id),
  constraint audit_log_actor_kind_check check (actor_kind in ('person', 'operator', 'system')),
  constraint audit_log_agency_id_fkey foreign key (agency_id) references agencies (id)
);

create index audit_log_at_idx on audit_log (at desc, id desc);
create index audit_log_agency_id_idx on audit_log (agency_id, at desc, id desc);

comment on table audit_log is 'What people did that is no change of a listing: everything operators do, and what touches keys and accounts. Only appended to.';
comment on column audit_log.subject is 'What was acted on, as people know it: an e-mail, a slug, the beginning of a key. Never a secret.';

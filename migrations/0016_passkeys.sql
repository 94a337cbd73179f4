create table account_passkeys (
  id uuid not null,
  account_id uuid not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  name text not null,
  created_at timestamptz(3) not null,
  used_at timestamptz(3),
  constraint account_passkeys_pkey primary key (id),
  constraint account_passkeys_credential_id_key unique (credential_id),
  constraint account_passkeys_account_id_fkey foreign key (account_id) references accounts (id) on delete cascade
);

comment on table account_passkeys is 'Passkeys of people: each signs in without password and second factor. Added, removed and used only while the account is locked.';
comment on column account_passkeys.public_key is 'COSE_Key. The private key never leaves the person''s device.';
comment on column account_passkeys.counter is 'Uses, as the authenticator last reported them; 0 if it does not count. A lower number betrays a copy.';

-- The passkeys of an account.
create index account_passkeys_account_id_idx on account_passkeys (account_id, created_at);

create table used_challenges (
  challenge_hash bytea not null,
  expires_at timestamptz(3) not null,
  constraint used_challenges_pkey primary key (challenge_hash)
);

comment on table used_challenges is 'Challenges that a passkey has answered, so that none is answered twice. Unused ones are not stored: the form holds them, sealed.';

-- Deleting those whose form has expired.
create index used_challenges_expires_at_idx on used_challenges (expires_at);

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
  check (kind in ('password_changed', 'password_removed', 'factor_on', 'factor_off', 'recovery_codes', 'passkey_added', 'passkey_removed',
    'passkey_copied', 'new_browser', 'writing_key', 'key_ends', 'agency_email'));

comment on column accounts.password_hash is 'argon2id, in the usual notation; null until the invitation is accepted, and after a person with two passkeys removed it.';

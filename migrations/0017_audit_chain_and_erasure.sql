-- People can be erased from histories and from the audit log, whose entries are chained by hashes that show changes made outside the service.

alter table audit_log alter column actor_name drop not null;
alter table audit_log alter column subject drop not null;
alter table audit_log add column chain_number bigint;
alter table audit_log add column chain_hash bytea;
alter table audit_log add column salts bytea[];
alter table audit_log add column digests bytea[];
alter table audit_log add constraint audit_log_chain_check
  check (num_nulls(chain_number, chain_hash, salts, digests) in (0, 4) and cardinality(salts) = 3 and cardinality(digests) = 3);

comment on table audit_log is 'Actions of people other than changes of listings: everything that operators do, changes of keys and accounts, and sign-ins. Append-only, except that a person can be erased from it. Actions are kept for ever: they are made by hand, so they grow slowly, and nothing else says who did them.';
comment on column audit_log.actor_name is 'Null: the person was erased.';
comment on column audit_log.subject is 'The readable name of what was acted on: an email, a slug, the beginning of a key. Never a secret. Null: the person was erased.';
comment on column audit_log.chain_number is 'Place in its chain, from 1 on: actions have one chain, sign-ins another. Null until the worker has chained the entry.';
comment on column audit_log.chain_hash is 'SHA-256 over the hash of the entry before, and the number, fields and digests of this one.';
comment on column audit_log.salts is 'Salts of the three digests; null once erased, so that nobody can guess the field.';
comment on column audit_log.digests is 'SHA-256 of actor_name, subject and details, each with its salt. They stay when a person is erased, so that the chain still holds.';

-- Entries that are not chained yet.
create index audit_log_unchained_idx on audit_log (at, id) where chain_number is null;
-- Checking each chain in its order.
create unique index audit_log_chained_acts_key on audit_log (chain_number) where expires_at is null;
create unique index audit_log_chained_sign_ins_key on audit_log (chain_number) where expires_at is not null;

create table audit_chains (
  chain text collate "C" not null,
  number bigint not null,
  hash bytea not null,
  constraint audit_chains_pkey primary key (chain),
  constraint audit_chains_chain_check check (chain in ('acts', 'sign-ins'))
);

comment on table audit_chains is 'The end of each chain of the audit log: one row per chain, kept by the worker. Without it, nobody would miss the last entries.';
comment on column audit_chains.number is 'The number of the last entry.';
comment on column audit_chains.hash is 'The hash of the last entry.';

-- Last, because every write of a listing waits for this lock until the migration ends. Only the audit log is locked for longer.
alter table listing_history alter column actor_name drop not null;

comment on column listing_history.actor_name is 'Null: the person was erased.';

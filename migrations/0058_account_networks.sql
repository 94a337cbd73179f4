create table account_networks (
  account_id uuid not null,
  network text collate "C" not null,
  seen_at timestamptz(3) not null,
  constraint account_networks_pkey primary key (account_id, network),
  constraint account_networks_account_id_fkey foreign key (account_id) references accounts (id) on delete cascade
);

create index account_networks_seen_at_idx on account_networks (seen_at);

comment on table account_networks is 'Where somebody signed in from lately: what strangers try from elsewhere does not keep them out there.';
comment on column account_networks.network is 'An IPv4 address, or the /64 of an IPv6 one.';

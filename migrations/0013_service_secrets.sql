create table service_secrets (
  name text collate "C" not null,
  sealed bytea not null,
  created_at timestamptz(3) not null,
  constraint service_secrets_pkey primary key (name)
);

comment on table service_secrets is 'Secrets of the service itself that must outlive a change of SECRET_KEY.';
comment on column service_secrets.name is '`approximate places`: decides the circles that stand for blurred places. Two circles for one place would narrow it down.';
comment on column service_secrets.sealed is 'Encrypted with SECRET_KEY.';

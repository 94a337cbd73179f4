create table version_contract (
  only_row boolean not null default true,
  oldest_version text not null,
  constraint version_contract_pkey primary key (only_row),
  constraint version_contract_only_row_check check (only_row),
  constraint version_contract_oldest_version_check check (oldest_version ~ '^[0-9]+[.][0-9]+[.][0-9]+$')
);

comment on table version_contract is 'One row. A migration that older versions of the service cannot work with raises it.';
comment on column version_contract.oldest_version is 'The oldest version that may run on this schema. Older ones are refused at their start.';

insert into version_contract (oldest_version) values ('1.0.0');

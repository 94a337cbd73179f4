alter table accounts add column elsewhere boolean not null default false;
alter table accounts drop constraint accounts_email_key;

create unique index accounts_email_key on accounts (email) where not elsewhere;
create unique index accounts_elsewhere_key on accounts (agency_id, email) where elsewhere;

comment on column accounts.elsewhere is 'Invited with an email whose account is elsewhere: the agency sees an invitation like any other, and nobody signs in with it.';

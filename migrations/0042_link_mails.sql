alter table account_links
  add column sealed_token bytea,
  add column mail_due_at timestamptz(3),
  add column mail_failures integer not null default 0,
  add constraint account_links_mail_check check ((sealed_token is null) = (mail_due_at is null));

create index account_links_mail_due_at_idx on account_links (mail_due_at) where mail_due_at is not null;

comment on column account_links.sealed_token is 'The link''s token, encrypted under SECRET_KEY, for as long as its mail waits to be taken by the mail server.';
comment on column account_links.mail_due_at is 'When the mail is tried next, or may be by another worker; null: there is none, it was taken, or given up.';
comment on column account_links.mail_failures is 'Attempts that failed.';

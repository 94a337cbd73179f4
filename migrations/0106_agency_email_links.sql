alter table account_links
  add column agency_id uuid,
  add column email text collate "C",
  add constraint account_links_agency_id_key unique (agency_id),
  drop constraint account_links_purpose_check,
  add constraint account_links_purpose_check check (purpose in ('invitation', 'reset', 'agency_email')),
  add constraint account_links_email_check
    check ((purpose = 'agency_email') = (agency_id is not null) and (agency_id is null) = (email is null));

comment on table account_links is 'Links in mails, each good once, of which only a hash is stored: invitations, new passwords, and emails that agencies are to have.';
comment on column account_links.account_id is 'Whose password the link sets; of an agency''s email, who asked for it.';
comment on column account_links.agency_id is 'Whose email the link confirms, one at a time; null: the link has another purpose.';
comment on column account_links.email is 'The email to confirm, to which the link is mailed.';

alter table agencies
  add column phone text,
  add column whatsapp text,
  add column website text,
  add constraint agencies_phone_check check (phone ~ '^\+[0-9][0-9 ()-]{6,28}[0-9]$'),
  add constraint agencies_whatsapp_check check (whatsapp ~ '^\+[0-9][0-9 ()-]{6,28}[0-9]$'),
  add constraint agencies_website_check check (website ~ '^https?://' and length(website) <= 300);

comment on column agencies.email is 'Where changes of state are notified, and whom visitors of the public pages write to; null means nowhere.';
comment on column agencies.phone is 'Shown on the public pages, as written; with the code of the country.';
comment on column agencies.whatsapp is 'The number that visitors write to by WhatsApp, likewise.';
comment on column agencies.website is 'The agency''s own site, shown on its public page.';

alter table properties add column place_blurred boolean not null default false;

comment on column properties.place_blurred is 'Whether public pages show the place approximately: a circle, and the street without its number. The API shows its agency the exact one.';

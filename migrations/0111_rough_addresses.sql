alter table properties add column rough_folded text;

comment on column properties.rough_folded is 'Where place_blurred: the address as visitors see it, without case and accents, for their search. Null where it is not, and until it is made (properties/readdress.ts).';

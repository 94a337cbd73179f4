-- Outside a transaction: these are built beside running servers. Each is dropped first, because one whose making was interrupted is there and is of no use.
-- The feed of changes reads listings in the order of the agency's revision, removed ones too. Each listing is in one of the two: keys that only read never learn of a listing that was never published, and a row that was published once stays so.

drop index concurrently if exists properties_changes_idx;
create index concurrently properties_changes_idx on properties (agency_id, version) where published_at is not null;

drop index concurrently if exists properties_unpublished_changes_idx;
create index concurrently properties_unpublished_changes_idx on properties (agency_id, version) where published_at is null;

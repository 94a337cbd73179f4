alter table agency_revisions
  add column hour timestamptz(0) not null default 'epoch',
  add column hour_new_listings integer not null default 0,
  add column day timestamptz(0) not null default 'epoch',
  add column day_new_listings integer not null default 0;

comment on table agency_revisions is 'One narrow row an agency: the lock every write of the agency takes, the number every list ETag comes from, and how many listings it made.';
comment on column agency_revisions.hour is 'Start of the UTC hour that hour_new_listings counts.';
comment on column agency_revisions.day is 'Start of the UTC day that day_new_listings counts.';

update agency_revisions r set hour = u.window_start, hour_new_listings = u.used
from agency_usage u where u.agency_id = r.agency_id and u.name = 'new_listings_per_hour';
update agency_revisions r set day = u.window_start, day_new_listings = u.used
from agency_usage u where u.agency_id = r.agency_id and u.name = 'new_listings_per_day';
delete from agency_usage where name like 'new_listings_%';

comment on table agency_usage is 'How much of each limit of its own an agency used in the current window, new listings apart: one row a limit.';

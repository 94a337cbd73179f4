-- Two entries of one millisecond stand in the order in which they were made.
alter table audit_log alter column at type timestamptz;

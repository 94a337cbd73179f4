create table worker_looks (
  chore text collate "C" not null,
  next_at timestamptz(3) not null,
  constraint worker_looks_pkey primary key (chore)
);

comment on table worker_looks is 'On Citus: when the next instance looks for due work, so that many instances look no more often than one. One row for each chore.';
comment on column worker_looks.next_at is 'The latest moment that an instance has reserved.';

-- Changes a database made by the migrations before 1.0.0 into one that the numbered files describe (src/platform/db/adopt.ts). Comments and
-- functions are taken from their own files.

-- The creation and admission functions of earlier versions, which the files of functions/ replaced.
drop function create_listings(json, json, float8, int, int);
drop function charge_keys(uuid[], int[], int[], timestamptz, timestamptz, int, int, int, int);

-- The statement that set these columns also read them; admit_keys returns its grants instead.
alter table key_usage drop column granted_reads;
alter table key_usage drop column granted_writes;
alter table key_usage drop column limits;

-- Only rows older than the constraint were unchecked, and those expired a day later.
alter table idempotency_keys validate constraint idempotency_keys_answer_check;

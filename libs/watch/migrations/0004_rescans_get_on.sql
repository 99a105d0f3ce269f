-- Up Migration

-- A block that no node has any more is passed, and counted; while one that may have it does not answer it is waited for.
ALTER TABLE chain_rescans
  ADD COLUMN passed bigint NOT NULL DEFAULT 0,
  ADD COLUMN problem text,
  ADD COLUMN waits_since timestamptz,
  ADD COLUMN taken_back_at timestamptz;

-- Down Migration

ALTER TABLE chain_rescans DROP COLUMN passed, DROP COLUMN problem, DROP COLUMN waits_since, DROP COLUMN taken_back_at;

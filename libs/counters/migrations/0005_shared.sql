-- Up Migration

-- When a number of this database last turned out to stand in a log that was counted: somebody else gives numbers there.
-- And when an operator last asked for numbers to be raised.
ALTER TABLE numbers_given_in ADD COLUMN shared_at timestamptz, ADD COLUMN asked_at timestamptz;

-- Up Migration

-- It was brought back to its last event in a log that lacked what stood behind that: until it takes another one its place
-- may be one of either log, and whoever begins to read goes on behind that event.
ALTER TABLE projection_checkpoints ADD COLUMN behind_last boolean NOT NULL DEFAULT false;

-- Down Migration

ALTER TABLE projection_checkpoints DROP COLUMN behind_last;

-- Up Migration

-- The relay was brought back to the last event that it carried in a log that lacked what stood behind that: until it
-- carries another one its place may be one of either log, and whoever begins to carry goes on behind that event.
ALTER TABLE webhook_relay ADD COLUMN behind_last boolean NOT NULL DEFAULT false;

-- Down Migration

ALTER TABLE webhook_relay DROP COLUMN behind_last;

-- Up Migration

-- Where the furthest event stands that the relay had carried when it was brought back: what is carried again up to there,
-- once more or to another bus, is in either log, and says nothing of which one its place is of.
ALTER TABLE webhook_relay ADD COLUMN carried_to text COLLATE "C";

-- Down Migration

ALTER TABLE webhook_relay DROP COLUMN carried_to;

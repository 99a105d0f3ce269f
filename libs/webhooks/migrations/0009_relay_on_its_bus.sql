-- Up Migration

-- What the relay carried to last, as the bus calls itself; null: of a release that did not ask. On another one there is
-- nothing of what was published there and not yet taken.
ALTER TABLE webhook_relay ADD COLUMN bus text;

-- Down Migration

ALTER TABLE webhook_relay DROP COLUMN bus;

-- Up Migration

-- The affiliate whose setting it goes by, so that one affiliate's many endpoints are no more than another's few. Null: made
-- before this was written down; all of these count as one affiliate's.
ALTER TABLE webhook_deliveries ADD COLUMN owner bigint;
ALTER TABLE webhooks_undelivered ADD COLUMN owner bigint;

-- Up Migration

CREATE INDEX deposits_of_batch ON deposits (settlement_batch_id) WHERE settlement_batch_id IS NOT NULL;

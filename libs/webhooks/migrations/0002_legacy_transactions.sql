-- Up Migration

-- What tells of a transaction of the older interface has no deposit and no casino: it goes by its affiliate.
ALTER TABLE webhook_deliveries ADD COLUMN transaction_id bigint;
ALTER TABLE webhook_deliveries ADD COLUMN affiliate_id bigint;
CREATE INDEX webhook_deliveries_of_transaction ON webhook_deliveries (transaction_id, id)
  WHERE transaction_id IS NOT NULL;
CREATE INDEX webhook_deliveries_of_affiliate ON webhook_deliveries (affiliate_id, id) WHERE affiliate_id IS NOT NULL;

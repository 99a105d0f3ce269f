-- Up Migration

-- What the receipt was for. A deposit that went with its log may be made again, and accepted for something else.
ALTER TABLE receipts_settled ADD COLUMN player_amount numeric, ADD COLUMN crypto_amount numeric;

-- Down Migration

ALTER TABLE receipts_settled DROP COLUMN player_amount, DROP COLUMN crypto_amount;

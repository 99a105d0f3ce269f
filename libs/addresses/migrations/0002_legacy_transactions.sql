-- Up Migration

-- An address goes to a deposit, or to a transaction of the older interface: to one of them, for ever.
ALTER TABLE pool_addresses ADD COLUMN transaction_id bigint UNIQUE;
ALTER TABLE pool_addresses DROP CONSTRAINT pool_addresses_check1;
ALTER TABLE pool_addresses ADD CHECK (num_nonnulls(deposit_id, transaction_id) = num_nonnulls(taken_at));

DROP INDEX free_addresses;
DROP INDEX retired_addresses;
CREATE INDEX free_addresses ON pool_addresses (currency, source, id) WHERE taken_at IS NULL AND NOT retired;
CREATE INDEX retired_addresses ON pool_addresses (key_id) WHERE taken_at IS NULL AND retired;

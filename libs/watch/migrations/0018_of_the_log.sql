-- Up Migration

-- Up to where the log was written by what these tables know. In a database that is older than its log more lies behind it.
CREATE TABLE chain_logs (
  chain text PRIMARY KEY,
  position text NOT NULL
);

-- Known by the log alone: by no node yet, nor by a block that was applied.
ALTER TABLE chain_payments ADD COLUMN is_of_log boolean NOT NULL DEFAULT false;
CREATE INDEX chain_payments_of_log ON chain_payments (chain) WHERE is_of_log;

-- Down Migration

DROP INDEX chain_payments_of_log;
ALTER TABLE chain_payments DROP COLUMN is_of_log;
DROP TABLE chain_logs;

-- Up Migration

-- Whose the payments of the simulated engine are: no signal at the door tells it.
CREATE TABLE simulated_payments (
  txid           text   NOT NULL COLLATE "C",
  deposit_id     bigint,
  transaction_id bigint,
  CHECK (num_nonnulls(deposit_id, transaction_id) = 1)
);
CREATE INDEX ON simulated_payments (txid);

-- Down Migration

DROP TABLE simulated_payments;

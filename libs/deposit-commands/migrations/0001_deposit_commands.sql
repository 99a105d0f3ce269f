-- Up Migration

CREATE SEQUENCE deposit_ids;
-- One sequence for deposits and for the transactions of the older interface.
CREATE SEQUENCE transaction_ids;
CREATE SEQUENCE return_ids;

-- Which deposit a create call of this key is about. That the deposit exists is said by its stream alone: a row whose
-- deposit has no stream belongs to a call that was refused, or that was cut off before it wrote.
CREATE TABLE idempotency_keys (
  affiliate_id bigint NOT NULL,
  key text NOT NULL,
  body_hash bytea NOT NULL,
  deposit_id bigint NOT NULL,
  transaction_id bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- While a call may still write the deposit another body is refused. Who dies in the middle is forgotten by the time.
  calls_in_flight int NOT NULL,
  in_flight_until timestamptz NOT NULL,
  PRIMARY KEY (affiliate_id, key)
);

CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

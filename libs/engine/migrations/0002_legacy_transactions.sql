-- Up Migration

-- A signal is about a deposit or about a transaction of the older interface.
ALTER TABLE engine_signals ADD COLUMN transaction_id bigint;
CREATE INDEX ON engine_signals (transaction_id, nr) WHERE transaction_id IS NOT NULL;

-- So is what the simulated engine was asked to play.
ALTER TABLE simulated_steps ALTER COLUMN deposit_id DROP NOT NULL;
ALTER TABLE simulated_steps ADD COLUMN transaction_id bigint;
ALTER TABLE simulated_steps ADD CHECK (num_nonnulls(deposit_id, transaction_id) = 1);
CREATE INDEX ON simulated_steps (transaction_id, id) WHERE transaction_id IS NOT NULL;

-- Projection "transaction_timers": until when the older transactions wait for money.
CREATE TABLE transaction_timers (
  transaction_id bigint      PRIMARY KEY,
  due_at         timestamptz NOT NULL,
  -- False while it would change nothing; a transaction whose payments are gone waits again.
  waiting        boolean     NOT NULL,
  -- The event that set it going: each time it waits is told from the times before.
  armed_by       integer     NOT NULL
);
CREATE INDEX ON transaction_timers (due_at) WHERE waiting;

-- Which instance rings a timer now. Beside the projection's table, which nothing else may write.
CREATE TABLE transaction_timer_claims (
  transaction_id bigint      PRIMARY KEY,
  armed_by       integer     NOT NULL,
  claimed_until  timestamptz NOT NULL
);

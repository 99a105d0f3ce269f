-- Up Migration

-- Every signal_id that was ever taken. A row without an outcome belongs to the instance that handles it, or that died.
CREATE TABLE engine_signals (
  signal_id  text        PRIMARY KEY,
  nr         bigint      GENERATED ALWAYS AS IDENTITY UNIQUE,
  deposit_id bigint,
  type       text,
  at         timestamptz,
  -- As it was sent. Text and not jsonb, which refuses U+0000 and halves of surrogate pairs.
  payload    text        NOT NULL,
  outcome    text        CHECK (outcome IN ('applied', 'ignored', 'rejected')),
  detail     text,
  taken_at   timestamptz NOT NULL DEFAULT now(),
  taken_by   text        NOT NULL,
  -- Until then nobody else handles it.
  claimed_until timestamptz NOT NULL
);
CREATE INDEX ON engine_signals (deposit_id, nr);
CREATE INDEX ON engine_signals (outcome, nr) WHERE outcome <> 'applied';

-- Projection "timers": what a deposit still has to wait for.
CREATE TABLE timers (
  deposit_id bigint      NOT NULL,
  kind       text        NOT NULL CHECK (kind IN ('expiry', 'ofac_deadline')),
  due_at     timestamptz NOT NULL,
  -- False while it would change nothing: an expiry waits only while the deposit is Pending, and may wait again.
  waiting    boolean     NOT NULL,
  -- The event that set it going, so that each time it waits is told from the times before.
  armed_by   integer     NOT NULL,
  PRIMARY KEY (deposit_id, kind)
);
CREATE INDEX ON timers (due_at) WHERE waiting;

-- Which instance rings a timer now. Beside the projection's table, which nothing else may write.
CREATE TABLE timer_claims (
  deposit_id    bigint      NOT NULL,
  kind          text        NOT NULL,
  armed_by      integer     NOT NULL,
  claimed_until timestamptz NOT NULL,
  PRIMARY KEY (deposit_id, kind)
);

-- Projection "returns": the queue of what goes back to players.
CREATE TABLE returns (
  return_id  bigint      PRIMARY KEY,
  deposit_id bigint      NOT NULL,
  entity_id  bigint      NOT NULL,
  currency   text        NOT NULL,
  address    text        NOT NULL,
  amount     numeric     NOT NULL,
  state      text        NOT NULL CHECK (state IN ('queued', 'broadcast', 'held')),
  held_because text,
  last_txid  text,
  queued_at  timestamptz NOT NULL,
  UNIQUE (deposit_id)
);
CREATE INDEX ON returns (queued_at, return_id) WHERE state = 'queued';

-- What is about to be sent stands here before it is sent: a crash in between sends the same transaction again.
CREATE TABLE refund_attempts (
  return_id     bigint      NOT NULL,
  attempt       integer     NOT NULL CHECK (attempt > 0),
  txid          text        NOT NULL UNIQUE,
  transaction   text        NOT NULL,
  prepared_at   timestamptz NOT NULL DEFAULT now(),
  claimed_until timestamptz NOT NULL,
  sent_at       timestamptz,
  PRIMARY KEY (return_id, attempt)
);

-- One row: whoever moves it on works the queue off, whichever instance that is.
CREATE TABLE refund_cycle (
  only_one    boolean     PRIMARY KEY DEFAULT true CHECK (only_one),
  next_run_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO refund_cycle DEFAULT VALUES;

-- What the simulated engine was asked to play and has not played yet.
CREATE TABLE simulated_steps (
  id            bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  deposit_id    bigint      NOT NULL,
  due_at        timestamptz NOT NULL,
  signal        jsonb       NOT NULL,
  asked_by      text        NOT NULL,
  claimed_until timestamptz
);
CREATE INDEX ON simulated_steps (due_at);
CREATE INDEX ON simulated_steps (deposit_id, id);

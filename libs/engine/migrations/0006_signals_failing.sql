-- Up Migration

-- Signals off the bus, where nobody sends them again, that a fault of ours keeps from being handled: they are handed in
-- again, for each subject in their order, with longer and longer pauses.
CREATE TABLE engine_signals_failing (
  id        bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  signal_id text        NOT NULL UNIQUE,
  -- The stream of what it is about.
  subject   text        NOT NULL,
  -- As it was sent. Text and not jsonb, which refuses U+0000 and halves of surrogate pairs.
  payload   text        NOT NULL,
  since     timestamptz NOT NULL DEFAULT now(),
  failures  integer     NOT NULL DEFAULT 0,
  again_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON engine_signals_failing (subject, again_at);

-- Down Migration

DROP TABLE engine_signals_failing;

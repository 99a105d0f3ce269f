-- Up Migration

-- The last event that was carried, which the log must hold: a position alone fits another log too, once that is as long.
-- Null: none since an update. Where the log turned out not to hold it, nothing is carried until an operator has it go on.
ALTER TABLE webhook_relay
  ADD COLUMN last_event jsonb,
  ADD COLUMN stopped_because text,
  ADD COLUMN stopped_at timestamptz;

-- Events that were carried, one of every minute: in a log that was put back, the newest of them that it holds is where to
-- go on.
CREATE TABLE webhook_relay_marks (
  position text COLLATE "C" PRIMARY KEY,
  event jsonb NOT NULL,
  kept_at timestamptz NOT NULL DEFAULT now()
);

-- Down Migration

DROP TABLE webhook_relay_marks;
ALTER TABLE webhook_relay DROP COLUMN last_event, DROP COLUMN stopped_because, DROP COLUMN stopped_at;

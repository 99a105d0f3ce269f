-- Up Migration

-- The log. Rows are only ever inserted: history is never changed.
-- (xid, position) is the order over all streams. A position alone is not: it is taken before the commit, so a lower
-- one can become visible after a higher one. Readers stop below the oldest transaction still running.
CREATE TABLE events (
  stream      text        NOT NULL COLLATE "C",
  revision    bigint      NOT NULL,
  xid         xid8        NOT NULL DEFAULT pg_current_xact_id(),
  position    bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
  id          uuid        NOT NULL,
  type        text        NOT NULL COLLATE "C",
  data        text        NOT NULL,
  metadata    text        NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (stream, revision)
);

CREATE UNIQUE INDEX events_in_order ON events (xid, position);

-- Down Migration

DROP TABLE events;

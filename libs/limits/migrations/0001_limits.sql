-- Up Migration

-- Unlogged: after a crash counting begins anew, which costs less than a record of every use would.
CREATE UNLOGGED TABLE limit_windows (
  subject text PRIMARY KEY,
  ends_at timestamptz NOT NULL,
  uses integer NOT NULL
) WITH (fillfactor = 70);

CREATE INDEX limit_windows_by_end ON limit_windows (ends_at);

-- Up Migration

-- 'switch': its tables take the place of the live ones. 'check': it ends with a comparison. 'hold': it is compared, and
-- waits for an operator. 'cancel': whoever works at it drops its tables.
ALTER TABLE projection_rebuilds ADD COLUMN mode text NOT NULL DEFAULT 'switch';
-- It is complete and has been compared; its tables wait.
ALTER TABLE projection_rebuilds ADD COLUMN held boolean NOT NULL DEFAULT false;

CREATE TABLE projection_checks (
  name        text        PRIMARY KEY,
  version     integer     NOT NULL,
  -- Where both, the live rows and the new ones, stood.
  position    text        COLLATE "C",
  differences jsonb       NOT NULL,
  checked_at  timestamptz NOT NULL DEFAULT now()
);

COMMENT ON TABLE projection_checks IS 'What the last check of each projection came to';

CREATE TABLE projection_skips (
  name       text        NOT NULL,
  event_id   text        NOT NULL,
  reason     text        NOT NULL CHECK (reason <> ''),
  skipped_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (name, event_id)
);

COMMENT ON TABLE projection_skips IS 'Events that a projection passes over for good, in rebuilds too, because an operator said so';

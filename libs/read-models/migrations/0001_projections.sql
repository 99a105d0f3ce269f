-- Up Migration
CREATE TABLE projection_checkpoints (
  name       text        NOT NULL,
  -- In the key, because a rebuild fills version n + 1 while version n still serves.
  version    integer     NOT NULL CHECK (version > 0),
  -- The last position whose effects stand in the tables; null before the first. "C": positions compare byte by byte.
  position   text        COLLATE "C",
  state      text        NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'stopped')),
  failure    jsonb,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (name, version),
  CHECK ((state = 'stopped') = (failure IS NOT NULL))
);

COMMENT ON TABLE projection_checkpoints IS 'How far each projection has come; moved in the transaction that writes its rows';

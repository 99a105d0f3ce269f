-- Up Migration
CREATE TABLE projection_checkpoints (
  name       text        NOT NULL,
  -- In the key, because a rebuild fills version n + 1 while version n still serves.
  version    integer     NOT NULL CHECK (version > 0),
  -- The last position whose effects stand in the tables; null before the first. "C": positions compare byte by byte.
  position   text        COLLATE "C",
  -- Kept and not counted: how much of the history a rebuild has to go through.
  events     bigint      NOT NULL DEFAULT 0,
  -- 'retired': a newer version has taken its tables. It never moves again, whoever still runs it.
  state      text        NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'stopped', 'retired')),
  failure    jsonb,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (name, version),
  CHECK ((state = 'stopped') = (failure IS NOT NULL))
);

COMMENT ON TABLE projection_checkpoints IS 'How far each projection has come; moved in the transaction that writes its rows';

CREATE TABLE projection_rebuilds (
  -- One at a time per name, over all instances and versions.
  name         text        PRIMARY KEY,
  version      integer     NOT NULL CHECK (version > 0),
  -- The tables beside the live ones are there exactly while it is 'filling'.
  state        text        NOT NULL DEFAULT 'requested' CHECK (state IN ('requested', 'filling', 'failed')),
  position     text        COLLATE "C",
  events       bigint      NOT NULL DEFAULT 0,
  failure      jsonb,
  requested_at timestamptz NOT NULL DEFAULT now(),
  updated_at   timestamptz NOT NULL DEFAULT now(),
  CHECK ((state = 'failed') = (failure IS NOT NULL))
);

COMMENT ON TABLE projection_rebuilds IS 'Rebuilds that were asked for; a row goes in the transaction that switches its tables';

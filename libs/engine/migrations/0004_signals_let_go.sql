-- Up Migration

-- Ids of signals whose rows were let go, by their hashes: a repeat is a duplicate for ever. Sixteen bytes of SHA-256, so
-- that two ids never meet.
CREATE TABLE engine_signals_let_go (id_hash bytea PRIMARY KEY);

-- How far, by nr: up to noted_to the ids of what may go are in the table above, up to gone_to the rows are gone.
CREATE TABLE engine_signals_horizon (
  only_one boolean     PRIMARY KEY DEFAULT true CHECK (only_one),
  noted_to bigint      NOT NULL DEFAULT 0,
  noted_at timestamptz NOT NULL DEFAULT now(),
  gone_to  bigint      NOT NULL DEFAULT 0
);
INSERT INTO engine_signals_horizon DEFAULT VALUES;

-- Up Migration

CREATE TABLE projection_damage (
  name           text        NOT NULL,
  -- Found by a rebuild, whose tables are not the live ones yet.
  rebuild        boolean     NOT NULL,
  stream         text        NOT NULL COLLATE "C",
  -- The first that is in no row.
  revision       bigint      NOT NULL,
  problem        text        NOT NULL,
  found_at       timestamptz NOT NULL DEFAULT now(),
  -- How far rows showed it that a rebuild replaced: a stream that ends before is not whole again.
  shown_revision bigint,
  shown_hash     text,
  PRIMARY KEY (name, rebuild, stream)
);

COMMENT ON TABLE projection_damage IS 'Streams that a projection takes nothing of, until they are as they were written again';

-- Each switch counts: whoever owned the tables before has to look again at what is in them.
ALTER TABLE projection_checkpoints ADD COLUMN switches integer NOT NULL DEFAULT 0;

-- So far they remembered no more than how far a stream went.
ALTER TABLE legacy_transactions ADD COLUMN hash text;

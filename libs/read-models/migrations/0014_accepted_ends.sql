-- Up Migration

CREATE TABLE accepted_ends (
  number         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  stream         text        NOT NULL COLLATE "C",
  -- The last event of it that was shown, and is in the log no more.
  shown_revision bigint      NOT NULL,
  shown_hash     text,
  -- Where it ended; -1: the log had nothing of it.
  ends_at        bigint      NOT NULL,
  reason         text        NOT NULL,
  accepted_at    timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX accepted_ends_by_stream ON accepted_ends (stream, number);

COMMENT ON TABLE accepted_ends IS 'Streams of which an operator has accepted that they end before what was shown of them';

CREATE INDEX projection_damage_by_stream ON projection_damage (stream);

-- Down Migration

DROP INDEX projection_damage_by_stream;
DROP TABLE accepted_ends;

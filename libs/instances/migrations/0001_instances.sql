-- Up Migration

-- Which processes of the service run. A row says so for as long as it is written again and again.
CREATE TABLE instances (
  id         uuid        PRIMARY KEY,
  apps       text[]      NOT NULL,
  version    text        NOT NULL,
  host       text        NOT NULL,
  pid        integer     NOT NULL,
  started_at timestamptz NOT NULL,
  seen_at    timestamptz NOT NULL DEFAULT now()
);

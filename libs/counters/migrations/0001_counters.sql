-- Up Migration

-- The last event of the log whose ids and addresses this database has counted. A copy of the database that was put
-- back knows by it from where on it has forgotten.
CREATE TABLE counted_through (
  only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  position text   NOT NULL COLLATE "C",
  stream   text   NOT NULL,
  revision bigint NOT NULL,
  event_id uuid   NOT NULL
);

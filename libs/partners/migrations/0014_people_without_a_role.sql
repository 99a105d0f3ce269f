-- Up Migration

-- Since when his provider gives somebody no role any more; null: he has one. His next sign-in that brings one ends it.
ALTER TABLE operator_tokens ADD COLUMN ended_at timestamptz;

-- Down Migration

ALTER TABLE operator_tokens DROP COLUMN ended_at;

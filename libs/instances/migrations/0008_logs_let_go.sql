-- Up Migration

-- The names of logs that an operator let go: whoever names such a one again, or still runs on it, is on the wrong one.
ALTER TABLE installation_log ADD COLUMN let_go uuid[] NOT NULL DEFAULT '{}';

-- Down Migration

ALTER TABLE installation_log DROP COLUMN let_go;

-- Up Migration

-- The revision at which the log was found to have the name of this installation. Null: no log is known to have it.
ALTER TABLE installation_log ADD COLUMN name_revision bigint;

-- Down Migration

ALTER TABLE installation_log DROP COLUMN name_revision;

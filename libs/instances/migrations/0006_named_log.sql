-- Up Migration

-- Which installation this is, as its log names it where that lies elsewhere. Null: no log does yet.
ALTER TABLE installation_log ADD COLUMN installation uuid;

-- Down Migration

ALTER TABLE installation_log DROP COLUMN installation;

-- Up Migration

-- What a deposit only shows again has one column, by the interface's names: one more such field needs no migration.
ALTER TABLE deposits ADD COLUMN echoed jsonb NOT NULL DEFAULT '{}';
UPDATE deposits SET echoed = jsonb_build_object('machine_id', machine_id);
ALTER TABLE deposits ALTER COLUMN echoed DROP DEFAULT, DROP COLUMN machine_id;

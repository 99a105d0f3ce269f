-- Up Migration

-- Whose role may let it through: another process may serve what is asked for. Null: asked for of a release that did not say.
ALTER TABLE approvals ADD COLUMN roles text[];

-- Down Migration

ALTER TABLE approvals DROP COLUMN roles;

-- Up Migration

-- Of the event of `revision`; null in rows of a release before, until the projection is built anew.
ALTER TABLE deposits ADD COLUMN hash text;

-- Down Migration

ALTER TABLE deposits DROP COLUMN hash;

-- Up Migration

-- What was paid in a block that was applied before an address was given is paid to nobody who got it later. Of older rows
-- it is not known. The default is what an older release adds, too.
ALTER TABLE chain_blocks ADD COLUMN applied_at timestamptz;
ALTER TABLE chain_blocks ALTER COLUMN applied_at SET DEFAULT now();

-- Down Migration

ALTER TABLE chain_blocks DROP COLUMN applied_at;

-- Up Migration

-- Since when it is that reason which holds a chain: a rescan that was asked for before says nothing of it.
ALTER TABLE chain_tips ADD COLUMN reason_since timestamptz;

-- Down Migration

ALTER TABLE chain_tips DROP COLUMN reason_since;

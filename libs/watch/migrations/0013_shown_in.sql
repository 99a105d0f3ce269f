-- Up Migration

-- The block in which as many nodes showed it as have to agree, where the hash of a block covers nothing that it shows.
ALTER TABLE chain_payments ADD COLUMN shown_in text;

-- Down Migration

ALTER TABLE chain_payments DROP COLUMN shown_in;

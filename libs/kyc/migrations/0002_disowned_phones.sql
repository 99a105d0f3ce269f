-- Up Migration

-- Where the link went: a keyed hash of the number. Null: sent before this was kept.
ALTER TABLE kyc_links ADD COLUMN number_hash bytea;

-- "This is not me": until then no text goes to this number in the name of this casino.
CREATE TABLE kyc_disowned_phones (
  entity_id bigint NOT NULL,
  number_hash bytea NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (entity_id, number_hash)
);

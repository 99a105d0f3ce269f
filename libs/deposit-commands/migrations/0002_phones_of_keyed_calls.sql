-- Up Migration

-- A digest of the phone that the call of a key came with. It is of one deposit: an instance of a release before this one
-- gives the key another deposit and leaves the digest as it is. Null, or of another deposit: any phone is the same.
ALTER TABLE idempotency_keys
  ADD COLUMN phone_hash bytea,
  ADD COLUMN phone_of bigint;

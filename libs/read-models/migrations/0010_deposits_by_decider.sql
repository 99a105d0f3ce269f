-- Up Migration

-- Who decided, as its history names him; null while it is pending. The projection's fifth version fills it.
ALTER TABLE deposits ADD COLUMN decided_by text;

CREATE INDEX deposits_by_decider ON deposits (decided_by, created_at DESC, id DESC) WHERE decided_by IS NOT NULL;

-- Up Migration

-- Why the payments that a return gives back are not all there. The projection's second version fills it.
ALTER TABLE returns ADD COLUMN unfunded_because text;
CREATE INDEX returns_unfunded ON returns (queued_at) WHERE unfunded_because IS NOT NULL;

-- Down Migration

ALTER TABLE returns DROP COLUMN unfunded_because;

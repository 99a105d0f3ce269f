-- Up Migration

-- Auditors ask for what was decided in a span of time.
CREATE INDEX deposits_decided ON deposits (decision_at) WHERE decision_at IS NOT NULL;

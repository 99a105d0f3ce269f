-- Up Migration

-- Of most installations few, and told of for a month.
CREATE INDEX deposits_paid_after_decision ON deposits (paid_after_decision_at) WHERE paid_after_decision_at IS NOT NULL;

-- Down Migration

DROP INDEX deposits_paid_after_decision;

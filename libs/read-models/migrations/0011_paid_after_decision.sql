-- Up Migration

-- When money came last that a decision left nothing to do with; null: none has. The projection's sixth version fills it.
ALTER TABLE deposits ADD COLUMN paid_after_decision_at timestamptz;

-- Down Migration

ALTER TABLE deposits DROP COLUMN paid_after_decision_at;

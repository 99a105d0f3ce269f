-- Up Migration

-- An instance of the release before that rebuilds a table which this release alters would put one without the new column
-- in its place. So its rebuild ends, and one that failed for want of the column is asked for again: both projections have
-- a new version in this release, which asks by itself.
UPDATE projection_rebuilds
SET mode = 'cancel', held = false, state = 'requested', position = NULL, events = 0, failure = NULL, updated_at = now()
WHERE name IN ('deposits', 'returns');

-- Where it was faster, or this came too late.
ALTER TABLE deposits ADD COLUMN IF NOT EXISTS paid_after_decision_at timestamptz;

-- Down Migration

-- Nothing was made here.

-- Up Migration

-- The last event that it took, which the log must hold: a position alone fits another log too, once that is as long.
-- Null: none since an update, or a rebuild.
ALTER TABLE projection_checkpoints ADD COLUMN last_event jsonb;

-- Down Migration

ALTER TABLE projection_checkpoints DROP COLUMN last_event;

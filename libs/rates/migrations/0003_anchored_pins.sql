-- Up Migration

-- From where operators of a bounded role count, and since when; null: from the last price.
ALTER TABLE last_pins
  ADD COLUMN anchor numeric CHECK (anchor > 0 AND anchor < 'Infinity'),
  ADD COLUMN anchored_at timestamptz NOT NULL DEFAULT now();

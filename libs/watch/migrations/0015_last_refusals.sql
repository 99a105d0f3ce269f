-- Up Migration

-- When payments were refused last: what was refused before a while in which nobody asked is no refusal of that while. Of
-- older rows, and where an older release goes on, it is not known.
ALTER TABLE chain_payments
  ADD COLUMN denied_at timestamptz,
  ADD COLUMN refused_at timestamptz;

-- Down Migration

ALTER TABLE chain_payments DROP COLUMN denied_at, DROP COLUMN refused_at;

-- Up Migration

-- What fewer nodes than have to agree ever had, as far as is known, and since when as many refuse it. The default is what
-- an older release adds, too.
ALTER TABLE chain_payments
  ADD COLUMN is_alone boolean NOT NULL DEFAULT false,
  ADD COLUMN denied_since timestamptz;
CREATE INDEX chain_payments_alone ON chain_payments (chain) WHERE is_alone AND state IN ('waiting', 'dropped');

-- Down Migration

ALTER TABLE chain_payments DROP COLUMN is_alone, DROP COLUMN denied_since;

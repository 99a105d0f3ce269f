-- Up Migration

-- What cannot be handled now steps back for longer and longer, and with it all that is told of the same deposit or
-- transaction after it. What is told of others passes.
ALTER TABLE chain_outbox
  ADD COLUMN subject text GENERATED ALWAYS AS
    (COALESCE('deposit ' || (signal ->> 'deposit_id'), 'transaction ' || (signal ->> 'transaction_id'), '')) STORED,
  ADD COLUMN failures integer NOT NULL DEFAULT 0,
  ADD COLUMN again_at timestamptz;
CREATE INDEX chain_outbox_stepped_back ON chain_outbox (chain, subject, again_at) WHERE again_at IS NOT NULL;

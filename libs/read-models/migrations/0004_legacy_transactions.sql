-- Up Migration

-- Every transaction of the older interface, written by the projection `legacy_transactions` alone.
CREATE TABLE legacy_transactions (
  id                  bigint      PRIMARY KEY,
  affiliate_id        bigint      NOT NULL,
  currency            text        NOT NULL,
  wallet              text        NOT NULL,
  label               text        NOT NULL,
  usd_amount          numeric     NOT NULL,
  crypto_amount       numeric     NOT NULL,
  market_rate         numeric     NOT NULL,
  confirmed_crypto    numeric,
  status              text        NOT NULL,
  -- What an operator has to look at: a list of words, mostly empty.
  flags               jsonb       NOT NULL,
  settlement_batch_id text,
  created_at          timestamptz NOT NULL,
  times_out_at        timestamptz NOT NULL,
  -- When the event of `revision` was recorded.
  updated_at          timestamptz NOT NULL,
  revision            bigint      NOT NULL
);
-- Operators' lists, newest first.
CREATE INDEX legacy_transactions_of_affiliate ON legacy_transactions (affiliate_id, id);
CREATE INDEX legacy_transactions_of_status ON legacy_transactions (status, id);
CREATE INDEX legacy_transactions_flagged ON legacy_transactions (id) WHERE flags <> '[]'::jsonb;

-- Up Migration

-- A currency without a row is on: a row is a decision of an operator.
CREATE TABLE currency_switches (
  ticker text PRIMARY KEY,
  enabled boolean NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT now()
);

-- Up Migration

-- A currency without a row is asked of the providers; a row without usd pins "unavailable".
CREATE TABLE rate_pins (
  ticker text PRIMARY KEY,
  usd numeric CHECK (usd > 0 AND usd < 'Infinity'),
  pinned_at timestamptz NOT NULL DEFAULT now()
);

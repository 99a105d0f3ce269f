-- Up Migration

-- The last price that was pinned, which stays known when "unavailable" is pinned or nothing any more.
CREATE TABLE last_pins (
  ticker text PRIMARY KEY,
  usd numeric NOT NULL CHECK (usd > 0 AND usd < 'Infinity')
);

INSERT INTO last_pins (ticker, usd) SELECT ticker, usd FROM rate_pins WHERE usd IS NOT NULL;

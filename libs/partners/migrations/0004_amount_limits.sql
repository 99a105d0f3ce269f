-- Up Migration

-- Of a quote, in USD; null: none.
ALTER TABLE entities
  ADD COLUMN min_usd numeric CHECK (min_usd >= 0),
  ADD COLUMN max_usd numeric CHECK (max_usd >= 0);

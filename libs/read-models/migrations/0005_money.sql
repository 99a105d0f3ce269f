-- Up Migration

-- What every answer shows of a deposit's money, finished: it changes with the terms and with an accept alone. Null in
-- rows of before the projection's third version, which are read from the history.
ALTER TABLE deposits ADD COLUMN money text;

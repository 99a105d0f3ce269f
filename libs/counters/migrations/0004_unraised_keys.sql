-- Up Migration

-- Currencies of which the log held addresses that this database knew nothing of: their keys go on above them before the
-- next number is given, also where whoever found them dies first. `times`: how often that was found.
CREATE TABLE unraised_keys (
  currency text PRIMARY KEY,
  times    int  NOT NULL DEFAULT 1
);

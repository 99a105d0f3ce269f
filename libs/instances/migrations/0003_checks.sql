-- Up Migration

-- How a process was told to check operators. Null: it was told nothing, or is of a release that does not say it.
ALTER TABLE instances
  ADD COLUMN four_eyes boolean,
  ADD COLUMN recheck_s integer,
  -- Who comes in by a provider, and as what: the same where that is the same.
  ADD COLUMN people text;

-- FOUR_EYES as it was told last: what is left out changes nothing. No row: it was never told.
CREATE TABLE installation_checks (
  only_one  boolean     PRIMARY KEY DEFAULT true CHECK (only_one),
  four_eyes boolean     NOT NULL,
  since     timestamptz NOT NULL DEFAULT now()
);

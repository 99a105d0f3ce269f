-- Up Migration

-- What screening finds after an accept has to be taken back from the player as what is lost has.
DROP INDEX deposits_lost_after_accept;
CREATE INDEX deposits_lost_after_accept ON deposits (decision_at)
  WHERE decision = 'accepted' AND NOT test
    AND settlement_withheld IN ('ofac_hit', 'kyt_failed', 'double_spent', 'dropped', 'reorged');

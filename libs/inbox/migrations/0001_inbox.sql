-- Up Migration

-- What waits for a human is counted every few seconds: each kind by an index that holds little else.
CREATE INDEX returns_held ON returns (queued_at) WHERE state = 'held';
CREATE INDEX kyc_players_pending ON kyc_players (changed_at) WHERE state = 'pending' AND verified_from IS NULL;
CREATE INDEX deposits_lost_after_accept ON deposits (decision_at)
  WHERE decision = 'accepted' AND NOT test AND settlement_withheld IN ('double_spent', 'dropped', 'reorged');

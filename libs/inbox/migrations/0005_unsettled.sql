-- Up Migration

-- Accepted, not withheld, and in no batch: of most installations few, and none of them for long.
CREATE INDEX deposits_unsettled ON deposits (decision_at)
  WHERE decision = 'accepted' AND NOT test AND settlement_batch_id IS NULL
    AND coalesce(settlement_withheld, 'released') = 'released';

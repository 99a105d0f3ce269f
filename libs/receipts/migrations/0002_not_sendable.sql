-- Up Migration

-- What nothing can be written of is left behind, and the receipts after it go out.
ALTER TABLE receipts_settled DROP CONSTRAINT receipts_settled_outcome_check;
ALTER TABLE receipts_settled ADD CONSTRAINT receipts_settled_outcome_check
  CHECK (outcome IN ('sent', 'no_contact', 'not_sendable'));

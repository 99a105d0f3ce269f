-- Up Migration

-- Which contact a deposit's receipt goes to: a reference, for whom it names is no matter of the log.
CREATE TABLE receipt_contacts (
  deposit_id bigint PRIMARY KEY,
  contact_ref uuid,
  gambler_ref text NOT NULL,
  currency text NOT NULL
);

-- Written by the projection, settled by the worker.
CREATE TABLE receipts_due (
  deposit_id bigint PRIMARY KEY,
  event_id uuid NOT NULL,
  player_amount numeric NOT NULL,
  crypto_amount numeric NOT NULL,
  accepted_at timestamptz NOT NULL,
  settled_at timestamptz,
  -- Nothing is sent when nobody is known, or not any more.
  outcome text CHECK (outcome IN ('sent', 'no_contact')),
  CHECK ((settled_at IS NULL) = (outcome IS NULL))
);

CREATE INDEX receipts_unsettled ON receipts_due (accepted_at) WHERE settled_at IS NULL;

-- Up Migration

-- Which contact a deposit's receipt goes to: a reference, for whom it names is no matter of the log.
CREATE TABLE receipt_contacts (
  deposit_id bigint PRIMARY KEY,
  contact_ref uuid,
  gambler_ref text NOT NULL,
  currency text NOT NULL
);

CREATE TABLE receipts_due (
  deposit_id bigint PRIMARY KEY,
  event_id uuid NOT NULL,
  -- Of the event that made it due: receipts are settled in the order of the log.
  position text COLLATE "C" NOT NULL UNIQUE,
  player_amount numeric NOT NULL,
  crypto_amount numeric NOT NULL,
  accepted_at timestamptz NOT NULL
);

-- What is above is written by the projection alone, and made anew when it is rebuilt. What was done about it is here.
CREATE TABLE receipts_settled (
  deposit_id bigint PRIMARY KEY,
  settled_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Nothing is sent when nobody is known, or not any more.
  outcome text NOT NULL CHECK (outcome IN ('sent', 'no_contact'))
);

-- How far the worker is: all that became due up to here is settled.
CREATE TABLE receipts_progress (
  only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  position text COLLATE "C" NOT NULL
);

INSERT INTO receipts_progress (position) VALUES ('');

-- Up Migration

-- Who pays, beside the log: it can be erased while the log stays whole. Its id is that of the transaction.
CREATE TABLE legacy_contacts (
  transaction_id bigint PRIMARY KEY,
  -- Null: erased.
  email text,
  created_at timestamptz NOT NULL DEFAULT now()
);

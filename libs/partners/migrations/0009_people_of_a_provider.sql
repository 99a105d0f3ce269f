-- Up Migration

-- Whom the operator's own provider lets in: no token of his can be presented, and his role is the one it said last.
ALTER TABLE operator_tokens ADD COLUMN subject text UNIQUE;

-- Who was sent to the provider and is not back yet. His browser holds a secret; here is its keyed hash alone.
CREATE TABLE console_sign_ins (
  hash bytea PRIMARY KEY,
  state text NOT NULL,
  nonce text NOT NULL,
  verifier text NOT NULL,
  -- Which page of the console he wanted.
  page text NOT NULL,
  -- The session that he confirms, where he is signed in already.
  confirms bytea REFERENCES console_sessions ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now()
);

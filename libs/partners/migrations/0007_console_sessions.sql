-- Up Migration

-- Who is signed in at the console. The cookie holds a secret; here is its keyed hash alone.
CREATE TABLE console_sessions (
  hash bytea PRIMARY KEY,
  token_id bigint NOT NULL REFERENCES operator_tokens ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When somebody last did something; what a page asks for by itself does not count.
  seen_at timestamptz NOT NULL DEFAULT now(),
  -- When the token was last given: dangerous acts ask for it again.
  confirmed_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX console_sessions_seen ON console_sessions (seen_at);

-- Up Migration

-- What the console has sent, each once: a browser that loses the answer on its way sends the very same again by itself.
CREATE TABLE console_attempts (
  token_id bigint NOT NULL REFERENCES operator_tokens ON DELETE CASCADE,
  attempt text NOT NULL,
  taken_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (token_id, attempt)
);

CREATE INDEX console_attempts_taken ON console_attempts (taken_at);

-- Down Migration

DROP TABLE console_attempts;

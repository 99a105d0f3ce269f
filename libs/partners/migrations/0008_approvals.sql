-- Up Migration

-- With FOUR_EYES: what somebody at the console wants to do, until the holder of another token has let him.
CREATE TABLE approvals (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  token_id bigint NOT NULL REFERENCES operator_tokens ON DELETE CASCADE,
  operation text NOT NULL,
  -- What is asked for, as it is shown: without secrets.
  about jsonb NOT NULL,
  reason text NOT NULL,
  -- Keyed hash of all that was sent: what is let through is what was looked at.
  digest bytea NOT NULL,
  state text NOT NULL DEFAULT 'asked' CHECK (state IN ('asked', 'approved', 'refused', 'done', 'expired')),
  asked_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  decided_by bigint,
  decided_at timestamptz
);

-- The same is asked for once.
CREATE UNIQUE INDEX approvals_open ON approvals (token_id, digest) WHERE state IN ('asked', 'approved');
CREATE INDEX approvals_asked ON approvals (asked_at) WHERE state = 'asked';

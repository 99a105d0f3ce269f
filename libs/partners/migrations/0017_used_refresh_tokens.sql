-- Up Migration

-- What is let go once its use is long ago; far more of them may stay, since nobody has used them.
CREATE INDEX refresh_tokens_used ON refresh_tokens (used_at) WHERE used_at IS NOT NULL;

-- Down Migration

DROP INDEX refresh_tokens_used;

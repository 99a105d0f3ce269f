-- Up Migration

-- How long tokens of the family live: tokens that are over are let go, and it has to be known once all are. Null: they
-- have no end, or a release that did not keep it issued the first one; then that one tells, for as long as it is there.
ALTER TABLE token_families ADD COLUMN token_life interval CHECK (token_life > interval '0');

WITH firsts AS MATERIALIZED (
  SELECT f.id AS family_id, f.status, f.created_at AS issued_at, t.id, t.created_at, t.expires_at,
         -- What has no end is never let go, and the first one was made with its family.
         t.id IS NULL OR (t.expires_at IS NULL AND t.created_at > f.created_at + interval '1 day') AS had_an_end
  FROM token_families f LEFT JOIN LATERAL (
    SELECT * FROM access_tokens WHERE family_id = f.id ORDER BY id LIMIT 1) t ON true
), lives AS (
  UPDATE token_families f SET token_life =
    CASE WHEN o.expires_at > o.created_at THEN o.expires_at - o.created_at ELSE interval '1 hour' END
  FROM firsts o WHERE o.family_id = f.id AND (o.had_an_end OR o.expires_at IS NOT NULL)
), ended AS (
  -- Bought once all were let go, when nothing told any more that they have an end.
  UPDATE access_tokens t SET expires_at = now() + interval '1 hour'
  FROM firsts o WHERE o.family_id = t.family_id AND o.had_an_end AND t.expires_at IS NULL
)
-- By these operators find, and revoke, families whose refresh tokens still buy something. Nobody has what they are hashes of.
INSERT INTO access_tokens (family_id, created_at, expires_at, hash)
SELECT family_id, issued_at, issued_at,
       decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex')
FROM firsts WHERE id IS NULL AND status = 'active' ORDER BY family_id;

-- Down Migration

ALTER TABLE token_families DROP COLUMN token_life;

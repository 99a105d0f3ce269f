/** Of one that had expired before it was issued, as operators may say; those that follow it live so long. */
const SHORT_LIFE = "interval '1 hour'";

/** How long one lives, by SQL that tells when it was made and when it expires; null: for ever. */
export const lifeOf = (expiresAt: string, createdAt: string): string => `
  CASE WHEN ${expiresAt} > ${createdAt} THEN ${expiresAt} - ${createdAt}
       WHEN ${expiresAt} IS NOT NULL THEN ${SHORT_LIFE} END`;

/** The last that the tables take: years of five digits have no ISO 8601 text to show. */
const LAST = "timestamptz '9999-12-31 23:59:59.999 UTC'";

/**
 * When the next pair of the family `$1` expires: it lives as long as the operator let the first one live. A release that
 * did not keep how long that is may have issued it; where nothing tells it any more, one that never ends is none that he
 * can have meant, since the first one would be there still.
 */
export const NEXT_EXPIRY = `
  SELECT CASE WHEN life IS NOT NULL THEN least(now() + life, ${LAST}) END AS "expiresAt"
  FROM token_families f LEFT JOIN LATERAL (
    SELECT id, created_at, expires_at FROM access_tokens WHERE family_id = f.id ORDER BY id LIMIT 1
  ) AS first ON true, LATERAL (SELECT coalesce(
    f.token_life, CASE WHEN first.id IS NULL THEN ${SHORT_LIFE} ELSE ${lifeOf('first.expires_at', 'first.created_at')} END
  ) AS life) AS it
  WHERE f.id = $1`;

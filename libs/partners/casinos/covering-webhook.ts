/**
 * To be joined laterally to the casino `e`: the one webhook setting that counts. "The casino's own webhook URL if set,
 * otherwise the webhook URL of an active API key covering the casino"; a key locked to the casino wins over an
 * affiliate-wide one.
 */
export const COVERING_WEBHOOK = `(
  SELECT 'entity_override' AS source, NULL::bigint AS api_key_id, 0 AS rank, e.webhook_url AS url,
         e.webhook_secret AS secret, e.previous_webhook_secrets AS previous
  WHERE e.webhook_url IS NOT NULL
  UNION ALL
  SELECT 'api_key', k.id, CASE WHEN k.entity_id IS NULL THEN 2 ELSE 1 END, k.webhook_url,
         k.webhook_secret, k.previous_webhook_secrets
  FROM api_keys k
  WHERE k.affiliate_id = e.affiliate_id AND (k.entity_id = e.id OR k.entity_id IS NULL) AND k.webhook_url IS NOT NULL
    AND k.status = 'active' AND (k.expires_at IS NULL OR k.expires_at > now())
  ORDER BY rank, api_key_id LIMIT 1
)`;

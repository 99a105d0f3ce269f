-- Up Migration

-- A rotation ends no overlap that is running: there may be several secrets before the one of now. Each is
-- {"sealed": hex, "until": a time}.
ALTER TABLE entities ADD COLUMN previous_webhook_secrets jsonb NOT NULL DEFAULT '[]';
ALTER TABLE api_keys ADD COLUMN previous_webhook_secrets jsonb NOT NULL DEFAULT '[]';

UPDATE entities SET previous_webhook_secrets = jsonb_build_array(jsonb_build_object(
  'sealed', encode(previous_webhook_secret, 'hex'), 'until', previous_webhook_secret_until))
  WHERE previous_webhook_secret IS NOT NULL;
UPDATE api_keys SET previous_webhook_secrets = jsonb_build_array(jsonb_build_object(
  'sealed', encode(previous_webhook_secret, 'hex'), 'until', previous_webhook_secret_until))
  WHERE previous_webhook_secret IS NOT NULL;

ALTER TABLE entities DROP COLUMN previous_webhook_secret, DROP COLUMN previous_webhook_secret_until;
ALTER TABLE api_keys DROP COLUMN previous_webhook_secret, DROP COLUMN previous_webhook_secret_until;

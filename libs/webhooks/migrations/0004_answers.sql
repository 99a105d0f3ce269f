-- Up Migration

-- The beginning of what was answered; null where nothing was, and in attempts of before.
ALTER TABLE webhook_attempts ADD COLUMN answer text;

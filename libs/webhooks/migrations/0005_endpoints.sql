-- Up Migration

-- How the endpoints answer, as far as the notifiers have said: each writes down once in a while what it has met since.
CREATE TABLE webhook_endpoints (
  id              bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  endpoint        text        COLLATE "C" NOT NULL UNIQUE,
  url             text        NOT NULL,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_failure    text,
  -- The first failure after the last success; null: the last attempt was answered well.
  failing_since   timestamptz
);

-- Written when one is given up, and never else.
CREATE INDEX webhooks_dead_of_endpoint ON webhooks_undelivered (endpoint) WHERE due_at IS NULL;

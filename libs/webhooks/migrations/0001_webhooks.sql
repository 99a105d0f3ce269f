-- Up Migration

-- How far the log was carried to the bus.
CREATE TABLE webhook_relay (
  name text PRIMARY KEY,
  position text COLLATE "C"
);

-- What was to be told to whom. Written once, but for a URL that moved.
CREATE TABLE webhook_deliveries (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  webhook_id uuid NOT NULL,
  event text NOT NULL,
  deposit_id bigint,
  entity_id bigint,
  -- Whose setting it goes by: a casino's or an API key's. It stays when its URL changes.
  endpoint text COLLATE "C" NOT NULL,
  -- Where it went last, before the first attempt where it is to go.
  url text NOT NULL,
  recorded_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (webhook_id, endpoint)
);

-- Operators' lists, newest first.
CREATE INDEX webhook_deliveries_of_deposit ON webhook_deliveries (deposit_id, id);
CREATE INDEX webhook_deliveries_of_entity ON webhook_deliveries (entity_id, id);

-- What is sent, until it is pruned. Apart from the deliveries, which are kept.
CREATE TABLE webhook_bodies (
  delivery_id bigint PRIMARY KEY,
  body text NOT NULL,
  -- When it was made, or sent again by hand.
  kept_from timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX webhook_bodies_kept_from ON webhook_bodies (kept_from);

-- What is not delivered: pending or dead. What is in no row of this table is delivered, so that to finish a delivery is to
-- delete a narrow row here, and done ones cost nothing.
CREATE TABLE webhooks_undelivered (
  delivery_id bigint PRIMARY KEY,
  entity_id bigint,
  endpoint text COLLATE "C" NOT NULL,
  -- When it may be taken. Null: dead.
  due_at timestamptz DEFAULT now(),
  -- Of the scheduler that has it now, and when it ends. In no index: taking a delivery writes to the row's page alone.
  lease uuid,
  leased_until timestamptz,
  -- Failures since it was made, or since it was sent again by hand.
  failures int NOT NULL DEFAULT 0
-- Room on its page for the row that is taken: so no index is written for that.
) WITH (fillfactor = 50);

CREATE INDEX webhooks_undelivered_due ON webhooks_undelivered (endpoint, due_at) WHERE due_at IS NOT NULL;

-- Operators' lists, newest first: a casino's few must be found beside another's backlog.
CREATE INDEX webhooks_undelivered_of_entity ON webhooks_undelivered (entity_id, delivery_id) WHERE due_at IS NOT NULL;
CREATE INDEX webhooks_dead ON webhooks_undelivered (delivery_id) WHERE due_at IS NULL;
CREATE INDEX webhooks_dead_of_entity ON webhooks_undelivered (entity_id, delivery_id) WHERE due_at IS NULL;

-- Rows leave it as fast as they come: dead entries must not pile up in its indexes.
ALTER TABLE webhooks_undelivered SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);

-- No foreign key here nor above: no delivery is ever deleted, and to look it up costs as much as to write the row.
CREATE TABLE webhook_attempts (
  delivery_id bigint NOT NULL,
  at timestamptz NOT NULL,
  status_code int,
  error text,
  duration_ms int NOT NULL
);

CREATE INDEX webhook_attempts_of_delivery ON webhook_attempts (delivery_id, at);

-- The calls of the test button, per API key: a window that starts with its first call.
CREATE TABLE webhook_test_calls (
  api_key_id bigint PRIMARY KEY,
  window_start timestamptz NOT NULL,
  calls int NOT NULL
);

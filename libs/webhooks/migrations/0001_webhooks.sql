-- Up Migration

-- How far the log was carried to the bus.
CREATE TABLE webhook_relay (
  name text PRIMARY KEY,
  position text COLLATE "C"
);

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
  -- Null once it was pruned.
  body text,
  recorded_at timestamptz NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'dead')),
  -- While pending: when it may be taken.
  due_at timestamptz DEFAULT now() CHECK ((due_at IS NOT NULL) = (status = 'pending')),
  -- Of the scheduler that has it now, and when it ends. In no index: taking a delivery writes to the row's page alone.
  lease uuid,
  leased_until timestamptz,
  -- Failures since it was made, or since it was sent again by hand.
  failures int NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  done_at timestamptz,
  CHECK (body IS NOT NULL OR status <> 'pending'),
  UNIQUE (webhook_id, endpoint)
-- Room on its page for the row that is taken: so no index is written for that.
) WITH (fillfactor = 50);

-- Only what is due some day is in here, which is what is pending, so that taking costs the same beside ten million done ones.
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_deliveries_prunable ON webhook_deliveries (done_at) WHERE status = 'delivered' AND body IS NOT NULL;

-- Operators' lists, newest first.
CREATE INDEX webhook_deliveries_of_deposit ON webhook_deliveries (deposit_id, id);
CREATE INDEX webhook_deliveries_of_entity ON webhook_deliveries (entity_id, id);
CREATE INDEX webhook_deliveries_open ON webhook_deliveries (status, id) WHERE status <> 'delivered';
CREATE INDEX webhook_deliveries_open_of_entity ON webhook_deliveries (entity_id, status, id) WHERE status <> 'delivered';

-- Rows leave the index of what is due as fast as they come: dead entries must not pile up in it.
ALTER TABLE webhook_deliveries SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);

-- No foreign key: no delivery is ever deleted, and to look it up for each attempt costs as much as to write the attempt.
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

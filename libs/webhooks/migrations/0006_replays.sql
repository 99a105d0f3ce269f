-- Up Migration

-- What was asked to be sent again and how far that has come, so that whoever works it off may die at any moment.
CREATE TABLE webhook_replays (
  id            bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  entity_id     bigint,
  affiliate_id  bigint,
  wanted        jsonb       NOT NULL,
  asked_at      timestamptz NOT NULL DEFAULT now(),
  -- The last delivery that was looked at: from the newest to the oldest.
  before        bigint,
  due           bigint      NOT NULL DEFAULT 0,
  -- Until then nobody else goes on with it.
  claimed_until timestamptz NOT NULL,
  ended_at      timestamptz,
  CHECK (num_nonnulls(entity_id, affiliate_id) = 1)
);

CREATE INDEX webhook_replays_to_do ON webhook_replays (id) WHERE ended_at IS NULL;

-- Up Migration

-- Schedulers that run, or died: each holds an advisory lock of its name for as long as it lives.
CREATE TABLE webhook_lives (
  life uuid PRIMARY KEY,
  since timestamptz NOT NULL DEFAULT now()
);

-- Of the scheduler that has taken it. In no index, as the lease: whoever finds one dead looks through the table once.
ALTER TABLE webhooks_undelivered ADD COLUMN life uuid;

-- Up Migration

-- Where the history of this installation is kept: EVENT_STORE, as all its processes have to be started with it.
CREATE TABLE installation_log (
  only_one boolean     PRIMARY KEY DEFAULT true CHECK (only_one),
  kind     text        NOT NULL,
  since    timestamptz NOT NULL DEFAULT now()
);

-- Down Migration

DROP TABLE installation_log;

-- Up Migration

-- What all processes that decide or play have to be started with: ENGINE and DEMO of the first of them.
CREATE TABLE installation_engine (
  only_one boolean     PRIMARY KEY DEFAULT true CHECK (only_one),
  engine   text        NOT NULL,
  demo     boolean     NOT NULL,
  since    timestamptz NOT NULL DEFAULT now()
);

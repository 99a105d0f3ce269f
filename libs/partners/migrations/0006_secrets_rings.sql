-- Up Migration

-- The keys of this installation once its SECRETS_KEY was changed: a row for each SECRETS_KEY that may be used, two while
-- it is being changed. None: SECRETS_KEY is itself all the keys there are.
CREATE TABLE secrets_rings (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Salt, then sealed under a SECRETS_KEY.
  ring bytea NOT NULL,
  made_at timestamptz NOT NULL DEFAULT now()
);

CREATE TRIGGER secrets_rings_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON secrets_rings
  FOR EACH STATEMENT EXECUTE FUNCTION tell_partners_changed();

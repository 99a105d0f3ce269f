-- Up Migration

-- History is added to and nothing else: one statement by mistake, or by somebody who found a way in, must not pass.
CREATE FUNCTION refuse_change_of_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the table % is history: it is only added to', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER only_added_to BEFORE UPDATE OR DELETE OR TRUNCATE ON events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_history();
-- What replicates or puts back a copy may be told to run without triggers: this one runs all the same.
ALTER TABLE events ENABLE ALWAYS TRIGGER only_added_to;
REVOKE UPDATE, DELETE, TRUNCATE ON events FROM PUBLIC;

-- Down Migration

DROP TRIGGER only_added_to ON events;
DROP FUNCTION refuse_change_of_history;

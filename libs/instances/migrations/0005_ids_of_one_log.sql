-- Up Migration

-- Asked where ids are given. A function, since each of its statements sees what was committed before it: the kind is read
-- behind the lock, which whoever changes it holds alone. Nobody waits for one that was frozen while it did.
CREATE FUNCTION is_log_of_installation(asked text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock_shared(hashtextextended('the event log of this installation', 0)) THEN
    RETURN false;
  END IF;
  RETURN NOT EXISTS (SELECT FROM installation_log WHERE kind <> asked);
END $$;

-- Down Migration

DROP FUNCTION is_log_of_installation;

-- Up Migration

-- Like a stream of the log: each entry holds the hash of the one before. Entries from before this stay without.
ALTER TABLE audit_trail
  ADD COLUMN place bigint UNIQUE,
  ADD COLUMN previous_hash text,
  ADD COLUMN hash text;

CREATE FUNCTION audit_trail_hash(entry audit_trail) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT encode(sha256(convert_to(jsonb_build_array(
    entry.place, entry.previous_hash, to_char(entry.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    entry.actor, entry.action, entry.subject, entry.subject_id, entry.before, entry.after
  )::text, 'UTF8')), 'hex')
$$;

-- Here and not in the service, so that a release that knows no chain adds to it all the same.
CREATE FUNCTION chain_audit_trail() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  last audit_trail;
BEGIN
  -- Until the transaction ends: the next entry follows this one, or whatever stands when this one is taken back.
  PERFORM pg_advisory_xact_lock(hashtextextended('audit trail', 0));
  SELECT * INTO last FROM audit_trail WHERE place IS NOT NULL ORDER BY place DESC LIMIT 1;
  NEW.place := coalesce(last.place, 0) + 1;
  NEW.previous_hash := last.hash;
  NEW.hash := audit_trail_hash(NEW);
  RETURN NEW;
END $$;

CREATE TRIGGER chained BEFORE INSERT ON audit_trail FOR EACH ROW EXECUTE FUNCTION chain_audit_trail();
ALTER TABLE audit_trail ENABLE ALWAYS TRIGGER chained;

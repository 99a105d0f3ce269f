-- Up Migration

-- Whoever adds to the trail may have a table of this name of his own, which his path finds first.
DO $$ DECLARE routine regprocedure; BEGIN
  FOREACH routine IN ARRAY ARRAY['audit_trail_hash(audit_trail)', 'chain_audit_trail()']::regprocedure[] LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = pg_catalog, %I, pg_temp', routine, current_schema());
  END LOOP;
END $$;

-- Down Migration

ALTER FUNCTION audit_trail_hash(audit_trail) RESET search_path;
ALTER FUNCTION chain_audit_trail() RESET search_path;

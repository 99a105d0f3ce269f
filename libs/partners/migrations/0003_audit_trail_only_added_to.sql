-- Up Migration

CREATE FUNCTION refuse_change_of_audit_trail() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit trail is only added to' USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER only_added_to BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_trail
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit_trail();
ALTER TABLE audit_trail ENABLE ALWAYS TRIGGER only_added_to;
REVOKE UPDATE, DELETE, TRUNCATE ON audit_trail FROM PUBLIC;

import { randomBytes } from 'node:crypto';
import pg from 'pg';

const ROLE = 'cointill';

/** A sequence of a column and an index go with their table. */
const OF_SOMETHING_ELSE = `EXISTS (SELECT FROM pg_depend d WHERE d.objid = o.oid AND d.deptype IN ('a', 'i'))`;

/** What the superuser owns in the database of before, statement by statement; none once it was handed over. */
const HAND_OVER = `
  DO $$ DECLARE command text; BEGIN
    FOR command IN
      SELECT format('ALTER TABLE %s', o.oid::regclass) FROM pg_class o
      WHERE o.relnamespace = 'public'::regnamespace AND o.relowner <> '${ROLE}'::regrole
        AND (o.relkind IN ('r', 'p', 'v', 'm') OR o.relkind = 'S' AND NOT ${OF_SOMETHING_ELSE})
      UNION ALL
      SELECT format('ALTER ROUTINE %s', o.oid::regprocedure) FROM pg_proc o
      WHERE o.pronamespace = 'public'::regnamespace AND o.proowner <> '${ROLE}'::regrole
      UNION ALL
      SELECT format('ALTER TYPE %s', o.oid::regtype) FROM pg_type o
      WHERE o.typnamespace = 'public'::regnamespace AND o.typowner <> '${ROLE}'::regrole AND o.typtype IN ('e', 'd')
    LOOP EXECUTE command || ' OWNER TO ${ROLE}'; END LOOP;
  END $$`;

const MAKE = `
  DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${ROLE}') THEN CREATE ROLE ${ROLE} LOGIN; END IF;
  END $$`;

/**
 * The same database for a role that is no superuser, cannot reach files or programs of the machine, and owns all that is
 * there. Its password is made anew at each start and kept nowhere.
 */
export const asServiceRole = async (superuserUrl: string): Promise<string> => {
  const password = randomBytes(24).toString('base64url');
  const client = new pg.Client({ connectionString: superuserUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const grant = `ALTER ROLE ${ROLE} PASSWORD '${password}'; ALTER SCHEMA public OWNER TO ${ROLE}`;
    for (const text of ['BEGIN', MAKE, grant, HAND_OVER, 'COMMIT']) await client.query(text);
  } finally {
    await client.end();
  }
  return Object.assign(new URL(superuserUrl), { username: ROLE, password }).href;
};

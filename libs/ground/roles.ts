import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** Of one database. Without a migration role the service's own one makes the tables, and owns them all. */
export type DatabaseUrls = { readonly service: string; readonly migration: string | undefined };

const SERVICE = 'cointill';
const OWNER = 'cointill_owner';

/** A sequence of a column and an index go with their table. */
const OF_SOMETHING_ELSE = `EXISTS (SELECT FROM pg_depend d WHERE d.objid = o.oid AND d.deptype IN ('a', 'i'))`;

const ROLES = `('${SERVICE}'::regrole, '${OWNER}'::regrole)`;

/** What the superuser owns in the database of before, statement by statement; none once it was handed over. */
const HAND_OVER = `
  DO $$ DECLARE command text; BEGIN
    FOR command IN
      SELECT format('ALTER TABLE %s', o.oid::regclass) FROM pg_class o
      WHERE o.relnamespace = 'public'::regnamespace AND o.relowner NOT IN ${ROLES}
        AND (o.relkind IN ('r', 'p', 'v', 'm') OR o.relkind = 'S' AND NOT ${OF_SOMETHING_ELSE})
      UNION ALL
      SELECT format('ALTER ROUTINE %s', o.oid::regprocedure) FROM pg_proc o
      WHERE o.pronamespace = 'public'::regnamespace AND o.proowner NOT IN ${ROLES}
      UNION ALL
      SELECT format('ALTER TYPE %s', o.oid::regtype) FROM pg_type o
      WHERE o.typnamespace = 'public'::regnamespace AND o.typowner NOT IN ${ROLES} AND o.typtype IN ('e', 'd')
    LOOP EXECUTE command || ' OWNER TO ${OWNER}'; END LOOP;
  END $$`;

const MAKE = `
  DO $$ DECLARE role text; BEGIN
    FOREACH role IN ARRAY ARRAY['${SERVICE}', '${OWNER}'] LOOP
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN EXECUTE format('CREATE ROLE %I LOGIN', role); END IF;
    END LOOP;
  END $$;
  GRANT ${SERVICE} TO ${OWNER};
  ALTER SCHEMA public OWNER TO ${OWNER}`;

/**
 * The same database for two roles that are no superusers and cannot reach files or programs of the machine: the service's
 * own, and one that makes tables and keeps history to itself. Their passwords are made anew at each start and kept nowhere.
 */
export const asRoles = async (superuserUrl: string): Promise<DatabaseUrls> => {
  const client = new pg.Client({ connectionString: superuserUrl });
  client.on('error', () => undefined);
  await client.connect();
  const urlOf = async (role: string): Promise<string> => {
    const password = randomBytes(24).toString('base64url');
    await client.query(`ALTER ROLE ${role} PASSWORD '${password}'`);
    return Object.assign(new URL(superuserUrl), { username: role, password }).href;
  };
  try {
    // By the names of Postgres alone: the service may have made functions that would run with these rights.
    for (const text of ['BEGIN', 'SET LOCAL search_path = pg_catalog', MAKE, HAND_OVER, 'COMMIT'])
      await client.query(text);
    return { service: await urlOf(SERVICE), migration: await urlOf(OWNER) };
  } finally {
    await client.end();
  }
};

import pg from 'pg';
import type { DatabaseUrls } from './roles.ts';
import { StartError } from './start-error.ts';

type Table = { readonly oid: number; readonly name: string; readonly kind: 'history' | 'progress' | 'other' };

const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/**
 * The schema of the tables, and from here on nothing in it is called by a bare name: the service may make functions there,
 * and one that fits better than Postgres' own would run with the rights of this role.
 */
const schemaOf = async (client: pg.Client): Promise<string> => {
  const { rows } = await client.query<{ name: string }>('SELECT pg_catalog.current_schema() AS name');
  await client.query('SET search_path = pg_catalog');
  return pg.escapeIdentifier(rows[0]?.name ?? 'public');
};

/**
 * What the database fills by itself (when, and where in the order over all) is chosen by nobody who adds to history: an
 * event at a place of his choice would lie where no reader in order comes to, and no proof.
 */
const FILLED = `(atthasdef OR attidentity <> '')`;

/** Whether there is a column of which the role may choose what is added, and the rest. */
const hasColumn = (role: string, rest: string): string => `EXISTS (SELECT FROM pg_attribute
      WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped
        AND has_column_privilege(${role}, c.oid, attnum, 'INSERT') ${rest})`;

/** Of the migration role: nobody but it changes what these hold. The service adds to history, and reads both. */
const KEPT = `
  SELECT c.oid, c.oid::regclass::text AS name, k.kind FROM pg_class c
  CROSS JOIN LATERAL (SELECT CASE WHEN relname = ANY ($2) THEN 'history' ELSE 'progress' END AS kind) k
  WHERE relnamespace = $3::regnamespace AND relkind IN ('r', 'p')
    AND (relname = ANY ($2) OR relname LIKE 'migrations\\_%')
    AND (relowner <> current_user::regrole OR NOT has_table_privilege($1, c.oid, 'SELECT')
      OR ${hasColumn('$1', `<> (k.kind = 'history' AND NOT ${FILLED})`)}
      OR has_any_column_privilege($1, c.oid, 'UPDATE') OR has_table_privilege($1, c.oid, 'DELETE, TRUNCATE, TRIGGER'))`;

/** A sequence of a column goes with its table. */
const MADE_FOR_THE_SERVICE = `
  SELECT oid, oid::regclass::text AS name, 'other' AS kind FROM pg_class c
  WHERE relnamespace = $2::regnamespace AND relowner = current_user::regrole
    AND relname <> ALL ($1) AND relname NOT LIKE 'migrations\\_%'
    AND (relkind IN ('r', 'p', 'v', 'm')
      OR relkind = 'S' AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype IN ('a', 'i')))`;

/** What a trigger of history does is no business of whoever it is to stop. */
const ROUTINES = `
  SELECT oid::regprocedure::text AS name FROM pg_proc
  WHERE pronamespace = $1::regnamespace AND proowner <> current_user::regrole`;

/** Whoever owns a schema may drop what is in it. */
const SCHEMA = `
  SELECT format('%I', nspname) AS name, pg_has_role($1, nspowner, 'USAGE') AS "isTheirs",
         has_schema_privilege($1, oid, 'CREATE') AND has_schema_privilege($1, oid, 'USAGE') AS "isOpen"
  FROM pg_namespace WHERE oid = $2::regnamespace`;

const arrangeSchema = async (client: pg.Client, service: string, schema: string): Promise<void> => {
  const { rows } = await client.query<{ name: string; isTheirs: boolean; isOpen: boolean }>(SCHEMA, [service, schema]);
  for (const { name, isTheirs, isOpen } of rows) {
    if (isTheirs) await client.query(`ALTER SCHEMA ${name} OWNER TO CURRENT_USER`);
    // A rebuild makes tables of its own.
    if (isTheirs || !isOpen)
      await client.query(`GRANT USAGE, CREATE ON SCHEMA ${name} TO ${pg.escapeIdentifier(service)}`);
  }
};

const GIVEN = `
  SELECT string_agg(quote_ident(attname), ', ') AS names FROM pg_attribute
  WHERE attrelid = $1 AND attnum > 0 AND NOT attisdropped AND NOT ${FILLED}`;

const givenColumns = async (client: pg.Client, table: number): Promise<string> => {
  const { rows } = await client.query<{ names: string }>(GIVEN, [table]);
  return rows[0]?.names ?? '';
};

/** One table at a time, so that whoever works meanwhile waits for one at a time, and never finds one that is closed to him. */
const arrangeTable = async (client: pg.Client, service: string, { oid, name, kind }: Table): Promise<void> => {
  const role = pg.escapeIdentifier(service);
  const allowed = kind === 'history' ? `SELECT, INSERT (${await givenColumns(client, oid)})` : 'SELECT';
  const text =
    kind === 'other'
      ? `ALTER TABLE ${name} OWNER TO ${role}`
      : `ALTER TABLE ${name} OWNER TO CURRENT_USER; REVOKE ALL ON ${name} FROM PUBLIC, ${role};
         GRANT ${allowed} ON ${name} TO ${role}`;
  await client.query(`BEGIN; ${text}; COMMIT`);
};

const arrange = async (client: pg.Client, service: string, history: readonly string[]): Promise<void> => {
  const schema = await schemaOf(client);
  await client.query(`SET lock_timeout = '10s'`);
  // Of two processes at once one waits for the other.
  await client.query(`SELECT pg_advisory_lock(hashtextextended('who owns the tables', 0))`);
  await arrangeSchema(client, service, schema);
  const kept = await client.query<Table>(KEPT, [service, history, schema]);
  const made = await client.query<Table>(MADE_FOR_THE_SERVICE, [history, schema]);
  for (const table of [...kept.rows, ...made.rows]) await arrangeTable(client, service, table);
  const { rows } = await client.query<{ name: string }>(ROUTINES, [schema]);
  for (const { name } of rows) await client.query(`ALTER ROUTINE ${name} OWNER TO CURRENT_USER`);
};

const roleOf = (url: string): Promise<string> =>
  withClient(
    url,
    async (client) => (await client.query<{ me: string }>('SELECT current_user AS me')).rows[0]?.me ?? '',
  );

/** Those of the service wherever they are: a trigger on a table of its own may call one that lies in no schema of ours. */
const TRAPS = `
  SELECT oid::regprocedure::text AS name FROM pg_proc
  WHERE proowner <> current_user::regrole
    AND (pronamespace = $1::regnamespace OR proowner = (SELECT oid FROM pg_roles WHERE rolname = $3))
    AND EXISTS (SELECT FROM pg_class
      WHERE relnamespace = $1::regnamespace AND relowner = current_user::regrole AND relname = ANY ($2))`;

/**
 * Migrations call functions by their bare names, with the rights of whoever keeps history. Only migrations make any, so
 * once history is kept, what somebody else has made there waits for them.
 */
export const refuseTraps = async ({ service, migration }: DatabaseUrls, history: readonly string[]): Promise<void> => {
  if (migration === undefined) return;
  const role = await roleOf(service);
  const found = await withClient(migration, async (client) => {
    const schema = await schemaOf(client);
    return client.query<{ name: string }>(TRAPS, [schema, history, role]);
  });
  const names = found.rows.map(({ name }) => name);
  if (names.length > 0)
    throw new StartError(
      `the role of MIGRATION_DATABASE_URL runs nothing beside functions that it did not make: ${names.join(', ')}; look at them, and drop them or ALTER … OWNER`,
    );
};

/** History belongs to the migration role, and everything that changes to the service's own. With nothing to do it only asks. */
export const keepHistory = async ({ service, migration }: DatabaseUrls, history: readonly string[]): Promise<void> => {
  if (migration === undefined) return;
  const [role, owner] = [await roleOf(service), await roleOf(migration)];
  if (role === owner)
    throw new StartError(
      `DATABASE_URL and MIGRATION_DATABASE_URL both name the role ${role}: history wants another owner`,
    );
  try {
    await withClient(migration, (client) => arrange(client, role, history));
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    throw new StartError(
      `the role ${owner} of MIGRATION_DATABASE_URL cannot take history into its keeping: ${error.message}; it has to be a member of ${role} (GRANT ${role} TO ${owner}), and to own the database or the schema`,
      { cause: error },
    );
  }
};

const MAY_CHANGE = `
  SELECT c.oid::regclass::text AS name FROM unnest($1::text[]) WITH ORDINALITY AS h (name, place)
  JOIN pg_class c ON c.oid = to_regclass(h.name) JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE pg_has_role(c.relowner, 'USAGE') OR pg_has_role(n.nspowner, 'USAGE')
    OR has_any_column_privilege(c.oid, 'UPDATE') OR has_table_privilege(c.oid, 'DELETE, TRUNCATE, TRIGGER')
    OR ${hasColumn('current_user', `AND ${FILLED}`)}
  ORDER BY h.place`;

/** The tables of history that the service's own role could change, triggers or not. */
export const changeableHistory = ({ service }: DatabaseUrls, history: readonly string[]): Promise<readonly string[]> =>
  withClient(service, async (client) => {
    const { rows } = await client.query<{ name: string }>(MAY_CHANGE, [history]);
    return rows.map(({ name }) => name);
  });

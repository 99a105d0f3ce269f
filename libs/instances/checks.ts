import type { Queryable } from '#platform/postgres';
import { ALIVE } from './list.ts';

/** How a process was told to check operators. Undefined: it was told nothing. */
export type Checks = {
  /** Whether what is dangerous wants a second person. */
  readonly fourEyes: boolean | undefined;
  /** So long holds what a provider said of somebody. */
  readonly recheckSeconds: number | undefined;
  /** Who comes in by a provider, and as what: the same where that is the same. */
  readonly people: string | undefined;
};

export const NOTHING_TOLD: Checks = { fourEyes: undefined, recheckSeconds: undefined, people: undefined };

/** `recheckSeconds`: the shortest that a process which runs was told; null where none was told. */
type Strictest = { readonly fourEyes: boolean; readonly recheckSeconds: number | null };

const STRICTEST = `
  SELECT EXISTS (SELECT FROM installation_checks WHERE four_eyes) AS "fourEyes",
    (SELECT min(recheck_s) FROM instances WHERE ${ALIVE}) AS "recheckSeconds"`;

export const strictestChecks = async (db: Queryable): Promise<Strictest> => {
  const { rows } = await db.query<Strictest>({ name: 'strictest_checks', text: STRICTEST });
  return rows[0] ?? { fourEyes: true, recheckSeconds: null };
};

const TURN_ON = `
  INSERT INTO installation_checks AS kept (four_eyes)
  SELECT true WHERE NOT EXISTS (SELECT FROM installation_checks WHERE four_eyes)
  ON CONFLICT (only_one) DO UPDATE SET four_eyes = true, since = now() WHERE NOT kept.four_eyes`;

/** Nobody is asked to do without a second person by one process while another was told to want one. */
const TURN_OFF = `
  UPDATE installation_checks SET four_eyes = false, since = now()
  WHERE four_eyes AND NOT EXISTS (SELECT FROM instances WHERE four_eyes AND ${ALIVE})`;

/** For the installation, as this process was told by name: says whether that is news. */
export const changeFourEyes = async (db: Queryable, told: boolean): Promise<boolean> =>
  (await db.query(told ? TURN_ON : TURN_OFF)).rowCount === 1;

const DIFFERENT = `
  SELECT count(DISTINCT four_eyes) > 1 AS "FOUR_EYES", count(DISTINCT recheck_s) > 1 AS "OIDC_RECHECK",
    count(DISTINCT people) > 1 AS "OIDC_ISSUER, OIDC_ROLES_CLAIM or OIDC_ROLES"
  FROM instances WHERE ${ALIVE}`;

/** The settings that processes which run were told differently. */
export const differences = async (db: Queryable): Promise<ReadonlyMap<string, boolean>> => {
  const { rows } = await db.query<Record<string, boolean>>(DIFFERENT);
  return new Map(Object.entries(rows[0] ?? {}));
};
